/** Pure: posts, ids, signatures, kinds, spaces. Imports nobody; its types are free to all. */
export { type HaltFacts, type HaltPost, haltsInForce, type ResumePost } from './halts.ts';
export {
  ACTIONABLE_KINDS,
  type ActionableKind,
  FEEDBACK_KINDS,
  type FeedbackKind,
  GUARDIAN_KINDS,
  isActionable,
  isFeedback,
  isWritable,
  SYSTEM_KINDS,
  WRITABLE_KINDS,
  type WritableKind,
} from './kinds.ts';
export { LIMITS } from './limits.ts';
export { canonical, encodedText, encodePost, isAuthentic, type Post, type PostBody, postId } from './post.ts';
export { LOCAL_SPACE, OPEN_SPACE, spaceOfSwarmKey } from './space.ts';
export {
  type Checked,
  checkContent,
  checkPost,
  type PostProblem,
  readPost,
  textProblem,
} from './validate.ts';
