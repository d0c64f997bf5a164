import type { Keys } from '../keys/index.ts';
import type { Store } from '../store/index.ts';

/** The profiles that this node has keys for, by author key. */
export interface Profiles {
  readonly byAuthor: ReadonlyMap<string, string>;
  /** Every author of this node but the one given. */
  othersThan(author: string): readonly string[];
}

/** Those that the store remembers, and those that the settings name now. */
export function openProfiles(
  names: readonly string[],
  house: { readonly keys: Keys; readonly store: Store; readonly now: () => number },
): Profiles {
  const { keys, store, now } = house;
  const byAuthor = new Map(store.people.profiles().map(({ author, profile }) => [author, profile]));
  for (const profile of names) {
    const author = keys.authorOf(profile);
    byAuthor.set(author, profile);
    store.people.addProfile(author, profile, now());
  }
  return { byAuthor, othersThan: (author) => [...byAuthor.keys()].filter((other) => other !== author) };
}
