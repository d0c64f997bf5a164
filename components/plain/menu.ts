import type {
  DraftPage,
  PausedRow,
  PostRef,
  PostRow,
  TranscriptPage,
  View,
  WhyPage,
} from '../../src/control/index.ts';
import type { ThreadItem } from '../state/dialogs.ts';
import type { Event } from '../state/events.ts';
import type { ListName } from '../state/places.ts';
import type { Effect } from '../state/state.ts';
import type { Voice } from './voice.ts';

/** What the shell does after a step: the same as for the screen, where it makes sense without one. */
export type PlainEffect = Extract<
  Effect,
  {
    readonly do:
      | 'send'
      | 'draft'
      | 'thread'
      | 'why'
      | 'search'
      | 'transcript'
      | 'edit'
      | 'command'
      | 'save'
      | 'suspend'
      | 'quit';
  }
>;

/** What happens to the linear mode: nobody points at it. */
export type PlainEvent = Exclude<Event, { readonly type: 'wheel' | 'click' }>;

type Asked<K extends PlainEffect['do']> = Extract<PlainEffect, { readonly do: K }>;

/** A post that is being written. */
export interface Writing {
  readonly parent: Pick<PostRef, 'id' | 'title'> | null;
  readonly kind: string;
  readonly title: string;
  readonly text: string;
}

/** What a typed text is for. */
export type Field =
  | { readonly is: 'reason'; readonly draft: string }
  | { readonly is: 'title'; readonly post: Writing }
  | { readonly is: 'text'; readonly post: Writing }
  | { readonly is: 'search' }
  | { readonly is: 'filter'; readonly list: ListMenu }
  | { readonly is: 'find'; readonly transcript: TranscriptMenu };

export interface ListMenu {
  readonly at: 'list';
  readonly name: ListName;
  readonly filter: string;
  readonly from: number;
  /** The rows that were read out last, by their keys: a number means what it was said before. */
  readonly keys: readonly string[];
}

export interface DraftMenu {
  readonly at: 'draft';
  readonly page: DraftPage;
  /** The text as edited here, to be published instead; `null` while unchanged. */
  readonly edited: string | null;
  /** What is still to be read out before it can be published. */
  readonly rest: readonly string[];
  readonly back: Menu;
}

export interface FieldMenu {
  readonly at: 'field';
  readonly of: Field;
  readonly text: string;
  readonly back: Menu;
}

export interface KindMenu {
  readonly at: 'kind';
  readonly parent: Writing['parent'];
  readonly back: Menu;
}

/** A post that was written and is read out before it is posted. */
export interface PostingMenu {
  readonly at: 'posting';
  readonly post: Writing;
  readonly rest: readonly string[];
  readonly back: Menu;
}

export interface ThreadMenu {
  readonly at: 'thread';
  /** The post that was asked for. */
  readonly id: string;
  readonly posts: readonly ThreadItem[];
  readonly total: number;
  /** The post that was read out last. */
  readonly cursor: number;
  /** Opened for the turns of a paused thread. */
  readonly paused: PausedRow | null;
  readonly rest: readonly string[];
  readonly back: Menu;
}

export interface WhyMenu {
  readonly at: 'why';
  readonly page: WhyPage;
  readonly back: Menu;
}

export interface TranscriptMenu {
  readonly at: 'transcript';
  /** The entries that were read out last. */
  readonly page: TranscriptPage;
  readonly from: number;
  readonly rest: readonly string[];
  /** What was looked for last. */
  readonly find: string | null;
  readonly back: Menu;
}

export interface FoundMenu {
  readonly at: 'found';
  readonly query: string;
  readonly posts: readonly PostRow[];
  readonly total: number;
  readonly isMore: boolean;
  readonly from: number;
  readonly back: Menu;
}

/** Something was asked for and is not here yet. */
export type LoadingMenu = { readonly at: 'loading'; readonly back: Menu } & (
  | { readonly of: 'draft'; readonly want: Asked<'draft'> }
  | { readonly of: 'why'; readonly want: Asked<'why'> }
  | {
      readonly of: 'thread';
      readonly want: Asked<'thread'>;
      readonly posts: readonly ThreadItem[];
      readonly paused: PausedRow | null;
      /** The place of the post that is sought; `null` for the one that was asked for, or the end of the turns. */
      readonly seek: number | null;
    }
  | {
      readonly of: 'search';
      readonly want: Asked<'search'>;
      readonly posts: readonly PostRow[];
      /** The first hit that is read out when it is here. */
      readonly from: number;
    }
  | { readonly of: 'transcript'; readonly want: Asked<'transcript'>; readonly find: string | null }
);

/** Where a person is in the choices. */
export type Menu =
  | { readonly at: 'top' }
  | { readonly at: 'stop' }
  | { readonly at: 'setup' }
  | { readonly at: 'quit'; readonly back: Menu }
  | ListMenu
  | DraftMenu
  | FieldMenu
  | KindMenu
  | PostingMenu
  | ThreadMenu
  | WhyMenu
  | TranscriptMenu
  | FoundMenu
  | LoadingMenu;

export type Top = Extract<Menu, { readonly at: 'top' }>;
export const TOP: Top = { at: 'top' };

/** What is remembered wherever a person is. */
export interface Memory {
  /** Drafts rejected here, newest last. */
  readonly rejected: readonly string[];
  /** The draft that was decided last: the view may still have it for a moment. */
  readonly decided: string | null;
  /** The program that was set up from here: the daemon takes it up when it is restarted. */
  readonly setUp: string | null;
  /** The person asked to quit when the run is done. */
  readonly draining: boolean;
  /** When the publish key was last pressed: a held key is not a decision. */
  readonly lastPublishAt: number | null;
  readonly voice: Voice;
}

/** What is true at the moment of a step. */
export interface World {
  readonly view: View;
  /** Ms since the epoch. */
  readonly now: number;
  readonly mode: 'daemon' | 'attach';
  /** Choices that act on the daemon are off. */
  readonly readOnly: boolean;
  /** The daemon ends with this screen. */
  readonly once: boolean;
  readonly canEdit: boolean;
  readonly canRun: boolean;
}

export interface PlainContext extends World {
  /** The key was typed by itself, with nothing right before it. */
  readonly alone: boolean;
  readonly memory: Memory;
}

/** What a key leads to: where, the lines that are printed, what is done. */
export interface Answer {
  readonly menu: Menu;
  readonly lines: readonly string[];
  readonly effects: readonly PlainEffect[];
  /** The choices of where one is are said after the lines. */
  readonly ask?: boolean;
  /** Printed without a line end: what is being typed. */
  readonly echo?: string;
  readonly memory?: Partial<Memory>;
}

export function answer(
  menu: Menu,
  lines: readonly string[] = [],
  effects: readonly PlainEffect[] = [],
): Answer {
  return { menu, lines, effects };
}

/** The same, with the choices of where it leads. */
export function asking(
  menu: Menu,
  lines: readonly string[] = [],
  effects: readonly PlainEffect[] = [],
): Answer {
  return { menu, lines, effects, ask: true };
}

/** Asks for a page and waits for it. */
export function load(menu: LoadingMenu, lines: readonly string[] = []): Answer {
  return answer(menu, lines, [menu.want]);
}
