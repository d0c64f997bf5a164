import type { Keys } from '../keys/index.ts';
import type { Store } from '../store/index.ts';

/** The profiles that this node has keys for, by author key. */
export interface Profiles {
  readonly byAuthor: ReadonlyMap<string, string>;
  /** The keys, remembering every profile that somebody here speaks with: a session may name its own. */
  readonly keys: Keys;
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
  const authorOf = (profile: string): string => {
    const author = keys.authorOf(profile);
    if (!byAuthor.has(author)) {
      byAuthor.set(author, profile);
      store.people.addProfile(author, profile, now());
    }
    return author;
  };
  for (const profile of names) authorOf(profile);
  return {
    byAuthor,
    keys: { ...keys, authorOf },
    othersThan: (author) => [...byAuthor.keys()].filter((other) => other !== author),
  };
}
