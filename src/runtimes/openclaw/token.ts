import { createHash } from 'node:crypto';

/** The literal that an unset variable leaves in OpenClaw's settings: there it is a token that everybody knows. */
export const TEMPLATE_TOKEN = `\${WATS_OPENCLAW_HOOKS_TOKEN}`;

export type TokenVerdict =
  | { readonly ok: true; readonly token: string }
  | { readonly ok: false; readonly message: string; readonly fix: string };

/** Whether a hook token can be used at all; what the gateway thinks of it is another question. */
export function usableToken(text: string | null): TokenVerdict {
  const token = text?.trim() ?? '';
  if (token === '')
    return { ok: false, message: 'There is no hook token for OpenClaw.', fix: 'wats setup openclaw --agent' };
  if (/^\$\{[^}]*\}$/.test(token))
    return {
      ok: false,
      message: `The hook token is the literal ${token}: the variable was never filled in, and everybody knows that text.`,
      fix: 'Put a random token of 64 hex digits where the template stands, in both programs.',
    };
  if (!/^[\x21-\x7e]{8,512}$/.test(token))
    return {
      ok: false,
      message: 'The hook token is no token: one line of 8 to 512 printable characters without spaces.',
      fix: 'wats setup openclaw --agent',
    };
  return { ok: true, token };
}

export function bearer(token: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

/** SHA-256, 64 hex digits: tells whether a token is the same without keeping it. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
