import type { Entry } from './entry.ts';

export type Scope = 'user' | 'project';

/** What of the outside world setup looks at. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The directory whose project a project scope is about, absolute. */
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
}

/** What stands under the name `wats` in a program's settings. */
export interface Registered {
  /** `null` for a server that no command starts (one behind a URL), or that can't be read as one. */
  readonly entry: Entry | null;
  /** The value as it stands, to put it back. */
  readonly raw: unknown;
  /** The file that it stands in. */
  readonly path: string;
}

/** A program that starts MCP servers for a person's sessions, and whose own command line registers them. */
export interface Host {
  readonly name: 'claude' | 'codex';
  readonly title: string;
  readonly scopes: readonly Scope[];
  /** How to install it. */
  readonly install: string;
  /** How to log in. */
  readonly login: string;
  /**
   * Reads the registration from the program's own file: starts neither the program nor the server.
   * @throws WatsError `failed` when the file is there and can't be read
   */
  read(scope: Scope, machine: Machine): Registered | null;
  /** Arguments for the program that register an entry in place of none. */
  add(entry: Entry, scope: Scope): readonly string[];
  /** Arguments that remove it. */
  remove(scope: Scope): readonly string[];
  /** Arguments that put back what stood there; `null` when the program has no way for it. */
  restore(registered: Registered, scope: Scope): readonly string[] | null;
  /** The program refuses to add where there is one. */
  readonly removesFirst: boolean;
  /** Registrations that win over this one somewhere: one sentence each. */
  shadows(scope: Scope, machine: Machine): readonly string[];
  /** Lines of the person's own in the entry that registering anew drops, as they would be written again. */
  extras(registered: Registered): readonly string[];
  /** What a person may want besides, which the program's command line cannot set; empty when it is all there. */
  advice(registered: Registered | null, machine: Machine): readonly string[];
  /** Arguments that tell the version, and what its line begins with. */
  readonly version: readonly string[];
  /** @returns whether it is logged in; `null` when it does not say */
  loggedIn(ask: Ask): Promise<boolean | null>;
}

/** What a program answered. */
export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program once with these arguments. Never rejects for a bad exit; `null` when it isn't there. */
export type Ask = (args: readonly string[]) => Promise<Answer | null>;
