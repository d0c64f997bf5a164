import { type Context, isFirstStart, isRunning } from '../state/context.ts';
import type { Dialog } from '../state/dialogs.ts';
import type { ScreenState } from '../state/state.ts';
import {
  agentSet,
  canOpen,
  draftSelected,
  draftShown,
  filterSet,
  inTranscript,
  listNotEmpty,
  loaded,
  notWrapped,
  replyTarget,
  stillHeld,
  unacknowledged,
  whyTarget,
} from './unless.ts';

/** Where a key counts: on the screen itself, or in the dialog on it. */
export type Scope = 'screen' | Dialog['kind'];

export interface Action {
  /** Also the name by which a person remaps its keys: `screen.run`, `draft.publish`. */
  readonly id: string;
  readonly scope: Scope;
  readonly keys: readonly string[];
  /** One or two words for the footer; `null` keeps it out of there. */
  readonly word: string | null;
  /** A sentence for the help. */
  readonly help: string;
  /** Why it does nothing now, in words; `null` when it does. */
  readonly unless?: (state: ScreenState, context: Context) => string | null;
  /** Whether the footer names it now, where that is not the same as whether the key is taken. */
  readonly named?: (state: ScreenState) => boolean;
  /** Asks something of the daemon: off in a read-only view, and while the daemon is gone. */
  readonly acts?: boolean;
  /** Always kept in the footer, at its right end. */
  readonly pinned?: boolean;
}

const action = (
  id: string,
  keys: readonly string[],
  word: string | null,
  help: string,
  unless?: Action['unless'],
  pinned = false,
): Action => ({
  id,
  scope: id.slice(0, id.indexOf('.')) as Scope,
  keys,
  word,
  help,
  pinned,
  ...(unless === undefined ? {} : { unless }),
});

/** An action that asks something of the daemon. */
const acting = (...of: Parameters<typeof action>): Action => ({ ...action(...of), acts: true });

/** Keys that scroll what a dialog shows. */
const scrolling = (scope: string, up: readonly string[], down: readonly string[]): readonly Action[] => [
  action(`${scope}.up`, up, null, 'A line up'),
  action(`${scope}.down`, down, null, 'A line down'),
  action(`${scope}.pageUp`, ['pageup', 'ctrl-b'], null, 'A page up'),
  action(`${scope}.pageDown`, ['pagedown', 'ctrl-f'], null, 'A page down'),
  action(`${scope}.halfUp`, ['ctrl-u'], null, 'Half a page up'),
  action(`${scope}.halfDown`, ['ctrl-d'], null, 'Half a page down'),
  action(`${scope}.top`, ['g', 'home'], null, 'To the beginning'),
  action(`${scope}.bottom`, ['G', 'end'], null, 'To the end'),
];

/** Every key of the screen. Footer, help and the docs are made from this table; remapping changes `keys` only. */
export const ACTIONS: readonly Action[] = [
  acting(
    'screen.approve',
    ['a'],
    'approve',
    'Read the selected draft in full, then publish it with P',
    draftShown,
  ),
  acting('screen.edit', ['e'], 'edit', 'Edit the selected draft in your editor', (state, context) =>
    context.canEdit ? draftShown(state, context) : 'no editor: set VISUAL or EDITOR',
  ),
  acting('screen.reject', ['x'], 'reject', 'Reject the selected draft, with a reason', draftShown),
  action(
    'screen.open',
    ['enter'],
    'open',
    'Open the row: draft, run, thread of a post, why a wake waits; unfold an entry',
    canOpen,
  ),
  acting('screen.mark', ['space'], null, 'Mark a draft that you read to its end', draftSelected),
  acting(
    'screen.approveMarked',
    ['A'],
    'approve marked',
    'Publish all marked drafts, after typing their count',
    (state) => (state.marked.size === 0 ? 'no draft is marked' : null),
  ),
  acting('screen.undo', ['u'], 'undo reject', 'Undo the last rejection', (state) =>
    state.rejected.length === 0 ? 'nothing was rejected here' : null,
  ),
  action('screen.panel', ['tab'], 'panel', 'Next panel', (state) =>
    state.view === 'overview' ? null : 'only in the overview',
  ),
  action('screen.panelBack', ['shift-tab'], null, 'Panel before', (state) =>
    state.view === 'overview' ? null : 'only in the overview',
  ),
  acting('screen.compose', ['c'], 'new post', 'Write a new post'),
  acting('screen.reply', ['R'], 'reply', 'Reply to the post of the selected row, or of the run', replyTarget),
  acting('screen.run', ['r'], 'run', 'Wake the agent now', agentSet),
  acting('screen.pause', ['p'], 'pause', 'Pause the agent, or let it go on', agentSet),
  acting('screen.stop', ['S'], 'stop run', 'Stop the run that is going, after asking', (_, { view }) =>
    isRunning(view) ? null : 'no run is going',
  ),
  action('screen.filter', ['/'], 'find', 'Filter: words, !without, kind:tool, cost>0.1', listNotEmpty),
  action('screen.search', ['s'], 'search', 'Search all posts of the swarm by their words'),
  action('screen.why', ['w'], 'why', 'Why that post woke the agent, or did not: every rule', whyTarget),
  action('screen.next', ['n'], null, 'Next match of the filter', filterSet),
  action('screen.previous', ['N'], null, 'Match before', filterSet),
  action('screen.overview', ['1'], null, 'Overview'),
  action('screen.drafts', ['2'], null, 'All drafts'),
  action('screen.runs', ['3'], null, 'Runs; Enter opens the transcript of one'),
  action('screen.posts', ['4'], null, 'Posts of the swarm'),
  action('screen.peers', ['5'], null, 'Peers'),
  action('screen.log', ['6'], null, 'Log'),
  action('screen.settings', ['7'], null, 'Settings, those that nobody acknowledged first'),
  acting(
    'screen.acknowledge',
    ['K'],
    'acknowledge',
    'Acknowledge changed safety settings: shows them, and asks',
    unacknowledged,
  ),
  action('screen.up', ['up', 'k', 'ctrl-y'], null, 'Up: ↑ scrolls a transcript by a line, k by an entry'),
  action(
    'screen.down',
    ['down', 'j', 'ctrl-e'],
    null,
    'Down: ↓ scrolls a transcript by a line, j by an entry',
  ),
  action('screen.pageUp', ['pageup', 'ctrl-b'], null, 'A page up'),
  action('screen.pageDown', ['pagedown', 'ctrl-f'], null, 'A page down'),
  action('screen.halfUp', ['ctrl-u'], null, 'Half a page up'),
  action('screen.halfDown', ['ctrl-d'], null, 'Half a page down'),
  action('screen.top', ['g', 'home'], null, 'To the beginning'),
  action('screen.bottom', ['G', 'end'], null, 'To the end; a transcript follows it again'),
  action('screen.copy', ['y'], null, 'Copy the entry, or the id of the row', (state, context) =>
    isFirstStart(state, context.view) ? null : listNotEmpty(state, context),
  ),
  action(
    'screen.wrap',
    ['W'],
    null,
    'Wrap long lines of the transcript, or cut them at the edge',
    inTranscript,
  ),
  action('screen.shiftLeft', ['H', 'left'], null, 'Cut lines: back to the left', notWrapped),
  action('screen.shiftRight', ['L', 'right'], null, 'Cut lines: what is further right', notWrapped),
  action(
    'screen.zoom',
    ['+'],
    null,
    'More room for the panel in focus: most of the screen, then all of it',
    (state) => (state.view === 'overview' ? null : 'only in the overview'),
  ),
  action('screen.unzoom', ['_'], null, 'Less room for the panel in focus', (state) =>
    state.zoom === 'normal' ? 'every panel has its place' : null,
  ),
  action(
    'screen.save',
    ['ctrl-s'],
    null,
    'Save the whole transcript, or the rows of the list, to a file',
    (state, context) =>
      isFirstStart(state, context.view) ? 'the transcript is empty' : listNotEmpty(state, context),
  ),
  action(
    'screen.mouse',
    ['m'],
    null,
    'Mouse on: a click selects, one more opens. Off: the terminal selects text',
  ),
  action('screen.repaint', ['ctrl-l'], null, 'Draw the screen again'),
  action(
    'screen.dump',
    ['D'],
    null,
    'Save what the screen shows and the last keys, without the words, for a report',
  ),
  action('screen.suspend', ['ctrl-z'], null, 'Suspend; fg comes back'),
  action('screen.back', ['esc'], null, 'Back: clear the filter, leave the view'),
  action('screen.help', ['?'], 'help', 'This help', undefined, true),
  action('screen.quit', ['q', 'ctrl-c'], 'quit', 'Quit, after asking', undefined, true),

  {
    ...acting('draft.publish', ['P'], 'publish', 'Publish exactly what is shown, once its end was on screen'),
    named: ({ dialog }) => dialog?.kind === 'draft' && dialog.ended && dialog.page?.state === 'held',
  },
  acting('draft.edit', ['e'], 'edit', 'Edit it; the changes are shown before P', (state, context) =>
    context.canEdit ? stillHeld(state) : 'no editor: set VISUAL or EDITOR',
  ),
  acting('draft.reject', ['x'], 'reject', 'Reject it, with a reason', stillHeld),
  action('draft.pane', ['tab', 'shift-tab'], 'other side', 'Scroll the post that it answers, or the draft'),
  acting('draft.mark', ['space'], 'mark', 'Mark it for approving several at once', stillHeld),
  action('draft.next', ['n'], 'next', 'Next draft'),
  action('draft.previous', ['N'], null, 'Draft before'),
  ...scrolling('draft', ['up', 'k', 'ctrl-y'], ['down', 'j', 'ctrl-e']),
  acting('draft.reply', ['R'], null, 'Answer the post yourself'),
  action('draft.copy', ['y'], null, 'Copy its text'),
  action('draft.save', ['ctrl-s'], null, 'Save its text to a file'),
  action('draft.repaint', ['ctrl-l'], null, 'Draw the screen again'),
  action('draft.help', ['?'], 'help', 'This help', undefined, true),
  action('draft.back', ['esc', 'q', 'ctrl-c'], 'back', 'Back; nothing is decided', undefined, true),

  action('thread.open', ['enter'], 'fold', 'Fold the post to one line, or show it in full', loaded('thread')),
  acting('thread.reply', ['R'], 'reply', 'Reply to the selected post', loaded('thread')),
  action(
    'thread.why',
    ['w'],
    'why',
    'Why it woke the agent, or did not: every rule',
    (state, context) => loaded('thread')(state) ?? agentSet(state, context),
  ),
  action('thread.next', ['n', 'j'], 'next post', 'Next post', loaded('thread')),
  action('thread.previous', ['N', 'k'], null, 'Post before', loaded('thread')),
  action('thread.copy', ['y'], 'copy', 'Copy the text of the selected post', loaded('thread')),
  action('thread.copyId', ['Y'], 'copy id', 'Copy its id, as commands take it', loaded('thread')),
  ...scrolling('thread', ['up', 'ctrl-y'], ['down', 'ctrl-e']),
  action('thread.save', ['ctrl-s'], null, 'Save the posts that are here to a file', loaded('thread')),
  action('thread.repaint', ['ctrl-l'], null, 'Draw the screen again'),
  action('thread.help', ['?'], 'help', 'This help', undefined, true),
  action('thread.back', ['esc', 'q', 'ctrl-c'], 'back', 'Back', undefined, true),
  action('why.open', ['enter'], 'thread', 'The post in full, in its thread', loaded('why')),
  action('why.copyId', ['y', 'Y'], 'copy id', 'Copy the id of the post', loaded('why')),
  ...scrolling('why', ['up', 'k'], ['down', 'j']),
  action('why.repaint', ['ctrl-l'], null, 'Draw the screen again'),
  action('why.help', ['?'], 'help', 'This help', undefined, true),
  action('why.back', ['esc', 'q', 'ctrl-c', 'w'], 'back', 'Back', undefined, true),
  action('search.send', ['enter'], 'search, open', 'Search for the words; then open the selected post'),
  action('search.up', ['up'], null, 'Hit before'),
  action('search.down', ['down'], 'choose', 'Next hit'),
  action('search.pageUp', ['pageup'], null, 'A page up'),
  action('search.pageDown', ['pagedown'], null, 'A page down'),
  action('search.top', ['home'], null, 'The first hit'),
  action('search.bottom', ['end'], null, 'The last hit that is here'),
  action('search.back', ['esc', 'ctrl-c'], 'back', 'Back', undefined, true),
  action('line.copy', ['y'], 'copy', 'Copy it'),
  ...scrolling('line', ['up', 'k'], ['down', 'j']),
  action('line.back', ['esc', 'q', 'ctrl-c', 'enter'], 'back', 'Back', undefined, true),

  acting('reject.send', ['enter'], 'reject', 'Reject with this reason; the agent reads it'),
  action('reject.back', ['esc', 'ctrl-c'], 'back', 'Back; nothing is decided', undefined, true),
  acting('bulk.send', ['enter'], 'publish all', 'Publish all of them'),
  action('bulk.back', ['esc', 'ctrl-c'], 'back', 'Back; nothing is decided', undefined, true),
  action('quit.up', ['up', 'k', 'shift-tab'], null, 'Choice before'),
  action('quit.down', ['down', 'j', 'tab'], 'choose', 'Next choice'),
  action('quit.send', ['enter', 'ctrl-c'], 'do it', 'Do what is chosen'),
  action('quit.back', ['esc', 'q'], 'stay', 'Stay', undefined, true),
  action('setup.up', ['up', 'k', 'shift-tab'], null, 'Choice before'),
  action('setup.down', ['down', 'j', 'tab'], 'choose', 'Next choice'),
  acting('setup.send', ['enter'], 'do it', 'Do what is chosen'),
  action('setup.back', ['esc', 'q', 'ctrl-c'], 'back', 'Back; nothing is set up', undefined, true),
  acting('stop.send', ['enter'], 'stop it', 'Stop the run now'),
  action('stop.back', ['esc', 'q', 'ctrl-c'], 'let it run', 'Let it run', undefined, true),
  action('help.up', ['up'], null, 'Line before'),
  action('help.down', ['down'], 'choose', 'Next line'),
  action('help.send', ['enter'], 'do it', 'Do what the line says'),
  action('help.back', ['esc', 'ctrl-c'], 'back', 'Back', undefined, true),
  action('compose.field', ['tab', 'down'], 'next field', 'Next field'),
  action('compose.fieldBack', ['shift-tab', 'up'], null, 'Field before'),
  action('compose.left', ['left'], null, 'Kind before'),
  action('compose.right', ['right'], 'kind', 'Next kind'),
  action('compose.edit', ['ctrl-e'], 'text in editor', 'Write the text in your editor', (_, context) =>
    context.canEdit ? null : 'no editor: set VISUAL or EDITOR',
  ),
  action('compose.pageUp', ['pageup'], null, 'Scroll the text up'),
  action('compose.pageDown', ['pagedown'], null, 'Scroll the text down'),
  acting('compose.send', ['enter'], 'go on, post', 'Next field; on the text: post it'),
  action('compose.back', ['esc', 'ctrl-c'], 'discard', 'Discard it', undefined, true),
  action('filter.send', ['enter'], 'keep', 'Keep the filter; n and N go through its matches'),
  action('filter.back', ['esc', 'ctrl-c'], 'clear', 'Clear the filter', undefined, true),
];
