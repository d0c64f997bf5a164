/** What a person's terminal says to the daemon, and the view it gets back. */
export { type ControlClient, connectControl } from './client.ts';
export { fitView, MAX_VIEW_BYTES } from './fit.ts';
export type { Controls, Intent, IntentResult, PageOf, PageRequest, TranscriptPage } from './intents.ts';
export { CONTROL_PROTOCOL, errorLine, failedIntent, type Hello } from './protocol.ts';
export { type Calls, type ServeOptions, serveControl } from './server.ts';
export type {
  AgentView,
  Alert,
  DraftPage,
  DraftRow,
  LogRow,
  NodeView,
  PausedRow,
  PeerRow,
  PostPage,
  PostRef,
  PostRow,
  ProgramRow,
  QueueRow,
  QueueView,
  RunRow,
  RunView,
  SearchPage,
  SettingRow,
  SpendView,
  SpendWindow,
  ThreadPage,
  ThreadPost,
  TranscriptEntry,
  TranscriptWindow,
  View,
  WhyPage,
  Window,
} from './view.ts';
