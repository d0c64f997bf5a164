import type { DraftPage, PausedRow, PostRow, ThreadPost, WhyPage } from '../../src/control/index.ts';
import type { Position } from '../transcript/position.ts';
import type { PanelName } from './places.ts';

/** A text that is typed in one line. */
export interface Field {
  readonly text: string;
}

/** The draft on screen, whole. */
export interface DraftDialog {
  readonly kind: 'draft';
  readonly id: string;
  readonly page: DraftPage | null;
  readonly error: string | null;
  readonly scroll: number;
  readonly parentScroll: number;
  readonly pane: 'draft' | 'parent';
  /** The text as edited here, to be published instead; `null` while unchanged. */
  readonly edited: string | null;
  /** Its last line was on screen, for this page and this edit. */
  readonly ended: boolean;
  /** Why the last P did nothing. */
  readonly refused: string | null;
  /** Asked for again since it left the list of those that wait: somebody else has decided it. */
  readonly rechecked: boolean;
  /** Opened by `e`: the editor comes up as soon as the page is here. */
  readonly editNow: boolean;
}

/** A post of a thread, with its place among those that are here. */
export interface ThreadItem extends ThreadPost {
  readonly n: number;
}

/** A post in full, in the thread that it stands in. */
export interface ThreadDialog {
  readonly kind: 'thread';
  /** The post that was asked for. */
  readonly id: string;
  /** Opened for the turns of a paused thread: folded, from its end. */
  readonly paused: PausedRow | null;
  /** A reply written here comes from another author than the agent, so that it un-pauses the thread. */
  readonly replyHelps: boolean;
  /** `null` until the first page is here. */
  readonly root: string | null;
  readonly total: number;
  readonly posts: readonly ThreadItem[];
  /** Still on its way to the post that was asked for, or to the end of the turns. */
  readonly seeking: boolean;
  /** A page is asked for. */
  readonly asked: boolean;
  /** The newest post of the swarm when the last page was asked for: another one may belong here. */
  readonly newest: string | null;
  readonly position: Position;
  /** The post that keys act on. */
  readonly cursor: number;
  /** Posts whose fold a person changed. */
  readonly folds: ReadonlyMap<number, boolean>;
  readonly error: string | null;
  readonly back: Dialog | null;
}

/** Why a post woke the agent, or did not. */
export interface WhyDialog {
  readonly kind: 'why';
  readonly id: string;
  readonly page: WhyPage | null;
  readonly scroll: number;
  readonly error: string | null;
  readonly back: Dialog | null;
}

/** Posts of the whole swarm with the words that were typed. */
export interface SearchDialog {
  readonly kind: 'search';
  readonly field: Field;
  /** What the posts were found for; `null` before the first answer. */
  readonly shown: string | null;
  readonly posts: readonly PostRow[];
  readonly total: number;
  readonly isMore: boolean;
  readonly selected: number;
  readonly top: number;
  /** The page that is on its way: what was searched for, and from which hit on. */
  readonly asked: { readonly query: string; readonly offset: number } | null;
  readonly error: string | null;
}

/** One line of a list in full. */
export interface LineDialog {
  readonly kind: 'line';
  readonly title: string;
  readonly text: string;
  readonly scroll: number;
}

export interface RejectDialog {
  readonly kind: 'reject';
  readonly id: string;
  readonly reason: Field;
  /** What is shown again after Esc. */
  readonly back: DraftDialog | null;
}

export interface BulkDialog {
  readonly kind: 'bulk';
  readonly items: readonly Marked[];
  readonly typed: Field;
}

export interface Marked {
  readonly id: string;
  readonly sha256: string;
}

export interface QuitDialog {
  readonly kind: 'quit';
  /** By what it does, not by its place: the choices change when a run starts or ends. */
  readonly choice: QuitHow;
}

export type QuitHow = 'drain' | 'now' | 'detach' | 'restart' | 'stay';

/** Which of the agent programs that were found is set up. */
export interface SetupDialog {
  readonly kind: 'setup';
  readonly choice: number;
}

export interface StopDialog {
  readonly kind: 'stop';
}

export interface HelpDialog {
  readonly kind: 'help';
  readonly query: Field;
  readonly selected: number;
  /** What was in focus, whose keys are listed. */
  readonly back: Dialog | null;
}

export interface ComposeDialog {
  readonly kind: 'compose';
  readonly parent: { readonly id: string; readonly title: string } | null;
  readonly choice: number;
  readonly title: Field;
  readonly text: string;
  readonly focus: 'kind' | 'title' | 'text';
  readonly scroll: number;
  readonly error: string | null;
  readonly back: Dialog | null;
}

export interface FilterDialog {
  readonly kind: 'filter';
  readonly panel: PanelName;
  readonly field: Field;
  readonly before: string;
}

export type Dialog =
  | DraftDialog
  | ThreadDialog
  | WhyDialog
  | SearchDialog
  | LineDialog
  | RejectDialog
  | BulkDialog
  | QuitDialog
  | SetupDialog
  | StopDialog
  | HelpDialog
  | ComposeDialog
  | FilterDialog;
