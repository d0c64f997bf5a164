/**
 * What a bridge may say before MCP begins: one line, `{"wats":1,"profile":"p"}`. The profile selects the author of a
 * session and nothing else: rights come from the socket. A socket that asks for a token is closed without one.
 */
export interface Hello {
  readonly profile?: string;
  readonly token?: string;
}

export type FirstLine =
  | { readonly is: 'hello'; readonly hello: Hello }
  /** Not ours: the first line of MCP. */
  | { readonly is: 'mcp' }
  | { readonly is: 'refused'; readonly why: string };

const PROFILE_BYTES = 128;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

export function encodeHello(hello: Hello): string {
  return `${JSON.stringify({ wats: 1, ...hello })}\n`;
}

/** What is wrong with a profile name, or `undefined`. The bridge and the daemon apply the same rule. */
export function profileProblem(profile: string): string | undefined {
  if (profile.trim() === '') return 'a profile has a name';
  if (Buffer.byteLength(profile) > PROFILE_BYTES) return `a profile name has at most ${PROFILE_BYTES} bytes`;
  if (CONTROL.test(profile) || !profile.isWellFormed()) return 'a profile name has no control characters';
  return undefined;
}

/** Reads the first line of a connection. */
export function readFirstLine(line: string): FirstLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { is: 'mcp' }; // the transport answers what is no JSON
  }
  if (typeof value !== 'object' || value === null || !('wats' in value)) return { is: 'mcp' };
  if (value.wats !== 1)
    return {
      is: 'refused',
      why: 'this node speaks version 1 of the bridge; install the same wats on both sides',
    };
  const { profile, token } = value as { profile?: unknown; token?: unknown };
  if (profile !== undefined && typeof profile !== 'string') return { is: 'refused', why: 'profile is text' };
  if (token !== undefined && typeof token !== 'string') return { is: 'refused', why: 'token is text' };
  const why = profile === undefined ? undefined : profileProblem(profile);
  if (why !== undefined) return { is: 'refused', why };
  return {
    is: 'hello',
    hello: { ...(profile !== undefined && { profile }), ...(token !== undefined && { token }) },
  };
}
