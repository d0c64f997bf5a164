/** What a person is told of: a draft to review, a budget that is used up, a guardian's halt. */
export type NoticeKind = 'draft' | 'budget' | 'halt';

/**
 * The words of a notification. Letters, digits and spaces only: they go to shells' neighbours, to AppleScript
 * and to terminals, and none of those may find a meaning in them.
 *
 * @param count how many drafts wait, budgets are used up, halts are in force; at least 1
 */
export function notice(kind: NoticeKind, count: number): string {
  const several = Number.isSafeInteger(count) && count > 1 ? count : 1;
  switch (kind) {
    case 'draft':
      return several === 1 ? 'A draft waits for your review' : `${several} drafts wait for your review`;
    case 'budget':
      return several === 1
        ? 'A budget is used up and the agent waits'
        : `${several} budgets are used up and the agent waits`;
    case 'halt':
      return several === 1
        ? 'A guardian halted the agent'
        : `${several} halts are in force and the agent waits`;
    default:
      return kind satisfies never;
  }
}
