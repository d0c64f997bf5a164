import type { Readable, Writable } from 'node:stream';

/** Everything of the outside world that a command may touch; made in `main.ts`, replaced in tests. */
export interface Context {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** The name of the operating-system user. */
  readonly user: string;
  readonly uid: number;
  readonly platform: NodeJS.Platform;
  readonly cwd: string;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: Writable & { readonly isTTY?: boolean };
  /** Wall clock, ms since the epoch. */
  readonly now: () => number;
  readonly version: string;
  /** The words after `wats`, as they were typed. */
  readonly argv: readonly string[];
  /** This Node and the script it runs: how other programs are told to start wats. */
  readonly self: { readonly node: string; readonly script: string };
}

export interface FlagSpec {
  readonly type: 'boolean' | 'string';
  /** May be given several times. */
  readonly multiple?: boolean;
  readonly short?: string;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly help: string;
  /** Left out of the help. */
  readonly hidden?: boolean;
}

export type Flags = Readonly<Record<string, FlagSpec>>;

/** The words of a command line after the command, read by its flags. */
export interface Input {
  readonly words: readonly string[];
  readonly text: (flag: string) => string | undefined;
  readonly all: (flag: string) => readonly string[];
  readonly on: (flag: string) => boolean;
}

export interface Command {
  /** One line a form: `wats ask [TEXT]`. */
  readonly usage: readonly string[];
  /** One sentence, or a few short paragraphs. */
  readonly about: string;
  readonly flags: Flags;
  /** @returns the exit code */
  run(input: Input, context: Context): Promise<number>;
}

/** Flags that every command has. */
export const COMMON_FLAGS: Flags = {
  dir: { type: 'string', value: 'DIR', help: 'the data directory (default: WATS_DIR, else the platform’s)' },
  help: { type: 'boolean', short: 'h', help: 'show this help' },
};

export const JSON_FLAG: Flags = { json: { type: 'boolean', help: 'print JSON instead of text' } };
