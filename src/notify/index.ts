/** Desktop and terminal notifications: fixed words and counts, never a stranger's text. */
export { type NoticeKind, notice } from './notice.ts';
export { createNotifier, type Notifier, type NotifierOptions } from './notifier.ts';
