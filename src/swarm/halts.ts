/** A post by which a guardian orders a halt. */
export interface HaltPost {
  readonly id: string;
  readonly author: string;
  /** The author's whole seconds. */
  readonly ts: number;
}

/** A post that lifts a halt: a reply to it. */
export interface ResumePost {
  readonly author: string;
  readonly parent: string | null;
}

export interface HaltFacts {
  /** Posts of the kind `halt`, by anybody, in any order. */
  readonly halts: readonly HaltPost[];
  /** Posts of the kind `resume`, by anybody, in any order. */
  readonly resumes: readonly ResumePost[];
  /** Author keys that the person trusts to halt. */
  readonly guardians: ReadonlySet<string>;
  /** Ids of halts that a person lifted at this node. */
  readonly lifted: ReadonlySet<string>;
}

/**
 * The halts in force, the first that was ordered first: those of guardians for which no resume is known, neither one
 * by the same author with that halt as parent, nor one at this node (design page 2, "Halt"). Which post arrived
 * before which changes nothing: a resume that comes before its halt lifts it all the same.
 */
export function haltsInForce<H extends HaltPost>(
  facts: Omit<HaltFacts, 'halts'> & { readonly halts: readonly H[] },
): readonly H[] {
  const { halts, resumes, guardians, lifted } = facts;
  const resumed = new Set(resumes.map(({ author, parent }) => `${author} ${parent}`));
  return halts
    .filter(({ id, author }) => guardians.has(author) && !lifted.has(id) && !resumed.has(`${author} ${id}`))
    .sort((a, b) => a.ts - b.ts || (a.id < b.id ? -1 : 1));
}
