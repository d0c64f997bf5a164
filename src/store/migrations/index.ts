import { sql as first } from './0001-first.ts';

/** Schema n is reached by running the first n of these in order. A landed migration is never edited. */
export const migrations: readonly string[] = [first];
