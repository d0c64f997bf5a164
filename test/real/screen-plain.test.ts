import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Pty } from '../support/pty.ts';
import { afterwards, answeringDirectory, daemonOf, draftFor, endDaemon, open } from './support/screens.ts';

/** A person at the linear mode: presses keys, and waits until something new was said. */
class Listener {
  readonly terminal: Pty;
  #heard = 0;

  constructor(terminal: Pty) {
    this.terminal = terminal;
  }

  /** Waits until it is said after what was heard before. @returns all that was said up to then */
  async hears(sought: string | RegExp): Promise<string> {
    const pattern = sought instanceof RegExp ? sought : literal(sought);
    const rest = () => this.terminal.written.slice(this.#heard);
    await this.terminal.until(() => pattern.test(rest()));
    const said = rest();
    const match = pattern.exec(said);
    this.#heard += (match?.index ?? 0) + (match?.[0].length ?? 0);
    return said;
  }

  /** Waits until all of them are said, in whatever order they come. */
  async hearsAll(...sought: readonly RegExp[]): Promise<void> {
    const rest = () => this.terminal.written.slice(this.#heard);
    await this.terminal.until(() => sought.every((pattern) => pattern.test(rest())));
    const ends = sought.map((pattern) => {
      const match = pattern.exec(rest());
      return (match?.index ?? 0) + (match?.[0].length ?? 0);
    });
    this.#heard += Math.max(...ends);
  }

  async presses(chunk: string, then: string | RegExp): Promise<string> {
    this.terminal.type(chunk);
    return this.hears(then);
  }
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
}

test('a draft is heard, rejected with a reason, brought back and published; then search, settings and the end', async () => {
  const dir = answeringDirectory();
  const terminal = open(['--plain', '--dir', dir]);
  const person = new Listener(terminal);
  await person.hears('choices: s status');
  await draftFor(dir, 'How is money kept in check?');
  await person.hearsAll(/new draft: answer/, /run: r-\w+ ended, ok/);

  const draft = await person.presses('n', 'P publishes exactly this');
  expect(draft).toContain('How is money kept in check?');
  expect(draft).toContain('end of the draft');
  await person.presses('x', 'reason: type it');
  // Pasted text is text, whatever is in it.
  await person.presses('too long\nP', 'too long P');
  await person.presses('\r', /done: .*rejected/i);
  await person.presses('u', /done: /);
  await person.presses('d', '1 reads a draft in full');
  await person.presses('1', 'P publishes exactly this');
  await person.presses('PP', 'do nothing here');
  await person.presses('P', /done: .*published/i);

  await person.presses('/', 'search: words');
  await person.presses('money', 'money');
  await person.presses('\r', /search for money: 1 to \d of \d posts/);
  const thread = await person.presses('1', 'end of the post');
  expect(thread).toMatch(/post \d of 2: /);
  await person.presses('N', 'post 1 of 2: ask');
  await person.presses('w', 'This one decides');
  await person.presses('0', 'n next post; R replies');
  await person.presses('0', '1 to ');
  await person.presses('q', 'choices: s status');

  expect(await person.presses('7', 'goes on in the list')).toContain('settings: 1 to 9 of');
  await person.presses('/', 'find: words');
  await person.presses('agent.every', 'agent.every');
  await person.presses('\r', '1: agent.every: ');
  await person.presses('1', 'to change it: wats config set agent.every');
  await person.presses('0', 'choices: s status');
  await person.presses('3', 'reads the transcript of a run');
  await person.presses('1', 'end of the transcript');
  const saved = /saved (\S+run-r-\S+)/.exec(await person.presses('s', /saved \S+\n?/))?.[1] ?? '';
  afterwards(() => rmSync(saved, { force: true }));
  expect(readFileSync(saved, 'utf8')).toContain('I answered');
  await person.presses('0', '1 reads the transcript');
  await person.presses('0', 'choices: s status');

  expect(terminal.written, 'nothing but lines is written').not.toContain('\x1b');
  await person.presses('q', 'choices: 1 quit');
  terminal.type('1');
  expect(await terminal.ended).toBe(0);
  expect(terminal.written).not.toContain('\x1b');
});

test('a reply is heard before it is posted, and a view of another process comes back with its daemon', async () => {
  const dir = answeringDirectory();
  const daemon = open(['--no-tui', '--dir', dir]);
  await daemon.until('review on');
  await draftFor(dir, 'How is money kept in check?');
  const view = new Listener(open(['agent', 'attach', '--plain', '--dir', dir]));
  const reader = new Listener(open(['agent', 'attach', '--plain', '--read-only', '--dir', dir]));
  await view.hears('choices: s status');
  expect(await reader.hears('every choice')).toContain('this view is read-only');
  await reader.presses('n', 'end of the draft');
  await reader.presses('P', 'this view is read-only');

  await view.presses('4', 'reads a post in its thread');
  await view.presses('1', 'R replies to it');
  await view.presses('R', 'which kind?');
  await view.presses('4', 'title: type one');
  await view.presses('\r', 'text: type or paste it');
  await view.presses('said by hand', 'said by hand');
  await view.presses('\r', 'end of the post');
  daemon.kill('SIGTERM');
  expect(await daemon.ended).toBe(0);
  await view.hears('ALERT daemon_gone');
  await view.presses('P', 'the daemon is gone');
  const again = open(['--no-tui', '--dir', dir]);
  await view.hears('the daemon is back');
  expect(await view.presses('l', 'P posts exactly this')).toContain('text: said by hand');
  await view.presses('P', /done: /);
  await view.presses('n', 'text: said by hand');
  for (const { terminal } of [view, reader]) expect(terminal.written).not.toContain('\x1b');
  view.terminal.type('\x03');
  expect(await view.terminal.ended).toBe(0);
  expect(await daemonOf(dir), 'the daemon goes on').not.toBeNull();
  again.kill('SIGTERM');
  await again.ended;
});

test('changed safety settings are acknowledged in the terminal, and wats starts again with them', async () => {
  const dir = answeringDirectory();
  afterwards(() => endDaemon(dir));
  const first = new Listener(open(['--plain', '--dir', dir]));
  await first.hears('choices: s status');
  appendFileSync(join(dir, 'config.toml'), 'max_turns = 20\n');
  await first.hears('ALERT config');
  await first.presses('q', '3 start again');
  await first.presses('3', 'ALERT safety');
  const settings = await first.presses('7', 'K acknowledges');
  expect(settings).toMatch(
    /1: CHANGED safety setting agent\.max_turns: 20, from config\.toml:\d+; acknowledged is 10/,
  );
  await first.presses('K', 'acknowledge these? [y/N]');
  await first.presses('y\r', 'Enter goes back to wats');
  await first.presses('\r', 'alert over: safety settings');
  expect(readFileSync(join(dir, 'safety.json'), 'utf8')).toContain('20');
  await first.presses('0', 'choices: s status');
});
