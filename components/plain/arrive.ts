import { composeEdited } from './compose.ts';
import { draftArrived, draftEdited } from './draft.ts';
import { commanded } from './leaving.ts';
import {
  type Answer,
  answer,
  asking,
  type LoadingMenu,
  type Menu,
  type PlainContext,
  type PlainEvent,
} from './menu.ts';
import { searchArrived } from './search.ts';
import { threadArrived } from './thread.ts';
import { transcriptArrived } from './transcript.ts';
import { whyArrived } from './why.ts';

type Arrival = Exclude<PlainEvent, { readonly type: 'key' | 'paste' | 'world' }>;
type Of<K extends LoadingMenu['of']> = Extract<LoadingMenu, { readonly of: K }>;

/** What was asked for came, or did not. What nobody waits for any more changes nothing. */
export function arrive(menu: Menu, event: Arrival, context: PlainContext): Answer {
  const late = answer(menu);
  const failed = (waiting: LoadingMenu | null, text: string) =>
    waiting === null ? late : asking(waiting.back, [`error: ${text}`]);
  switch (event.type) {
    case 'draft': {
      const waiting = awaited(menu, 'draft');
      return waiting?.want.id === event.id ? draftArrived(event.page, waiting.back) : late;
    }
    case 'why': {
      const waiting = awaited(menu, 'why');
      return waiting?.want.id === event.id ? whyArrived(event.page, waiting.back) : late;
    }
    case 'thread': {
      const waiting = awaited(menu, 'thread');
      return waiting?.want.id === event.id ? threadArrived(waiting, event.page, context) : late;
    }
    case 'search': {
      const waiting = awaited(menu, 'search');
      const same = waiting?.want.query === event.query && waiting.want.offset === event.page.offset;
      return same ? searchArrived(waiting, event.page, context) : late;
    }
    case 'transcript': {
      const waiting = awaited(menu, 'transcript');
      const same = waiting?.want.from === event.from && waiting.want.runId === event.page.runId;
      return same ? transcriptArrived(waiting, event.page, context) : late;
    }
    case 'draftFailed':
      return failed(awaited(menu, 'draft'), event.text);
    case 'whyFailed':
      return failed(awaited(menu, 'why'), event.text);
    case 'threadFailed':
      return failed(awaited(menu, 'thread'), event.text);
    case 'searchFailed':
      return failed(awaited(menu, 'search'), event.text);
    case 'transcriptFailed':
      return failed(awaited(menu, 'transcript'), event.text);
    case 'edited':
      if (event.for === 'draft') return menu.at === 'draft' ? draftEdited(menu, event.text) : late;
      return menu.at === 'field' || menu.at === 'posting' ? composeEdited(menu, event.text) : late;
    case 'commanded':
      return commanded(menu, context, event.args, event.code);
    case 'notice':
      return answer(menu, [event.tone === 'error' ? `error: ${event.text}` : event.text]);
    case 'result': {
      const { intent, result } = event;
      if (!result.ok)
        return answer(menu, [`error: ${result.text}${result.fix === null ? '' : `. To do: ${result.fix}`}`]);
      const { draft = null } = 'draft' in intent ? intent : {};
      const said = [`done: ${result.text}`];
      // After a decision the next one is at hand.
      const told = draft !== null && menu.at === 'top' ? asking(menu, said) : answer(menu, said);
      if (intent.do !== 'reject' && intent.do !== 'unreject') return told;
      const others = context.memory.rejected.filter((id) => id !== intent.draft);
      return {
        ...told,
        memory: { rejected: intent.do === 'reject' ? [...others, intent.draft] : others },
      };
    }
    default:
      return event satisfies never;
  }
}

/** What is awaited, if it is of that kind. */
function awaited<K extends LoadingMenu['of']>(menu: Menu, of: K): Of<K> | null {
  return menu.at === 'loading' && menu.of === of ? (menu as Of<K>) : null;
}
