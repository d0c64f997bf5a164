/** Pure: debounce, heartbeats, and when to look again. Imports nobody. */
export { debounceUntil } from './debounce.ts';
export { type HeartbeatDue, heartbeatDue } from './heartbeat.ts';
export { type LookAgain, lookAgain, type Pause } from './retry.ts';
export { timerDelay } from './timer.ts';
