import { expect, test } from 'vitest';
import type { Principal } from '../../src/access/index.ts';
import { call, connectClient, RUN, SENTENCE, SESSION, startServer } from './support/server.ts';

/** The reviewed list: a tool that is not in it may not be served. */
const SIX = ['inbox', 'post', 'read', 'reply', 'search', 'status'];
const NINE = [...SIX, 'approve', 'pending', 'reject'].sort();

const SHARED: Principal = { kind: 'session', profile: 'me', shared: true };
const FORWARDED: Principal = { kind: 'forwarded', agent: 'main', profile: 'me-agent' };

async function namesFor(principal: Principal, sessionsDecide = true): Promise<string[]> {
  const { path, house } = await startServer({ principal });
  house.sessionsDecide = sessionsDecide;
  const client = await connectClient(path);
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}

test('a session is offered the six tools and those of review', async () => {
  expect(await namesFor(SESSION)).toEqual(NINE);
});

test('a session sees drafts but decides nothing while mcp.decide is off', async () => {
  expect(await namesFor(SESSION, false)).toEqual([...SIX, 'pending'].sort());
});

test.each([
  ['a session on a shared socket', SHARED],
  ['a run', RUN],
  ['the forwarded agent', FORWARDED],
])('%s is offered the six tools only', async (_who, principal) => {
  expect(await namesFor(principal)).toEqual(SIX);
});

test('a peer is offered nothing', async () => {
  expect(await namesFor({ kind: 'peer', peerId: 'x' })).toEqual([]);
});

test.each(['approve', 'reject', 'pending', 'config', 'resume'])(
  'a run that calls %s anyway reaches nothing',
  async (name) => {
    const { path, house } = await startServer({ principal: RUN });
    const client = await connectClient(path);
    await expect(call(client, name, { draft: 'd-1', sha256: 'a'.repeat(64) })).rejects.toThrow(
      'no such tool here',
    );
    expect(house.decided).toEqual([]);
  },
);

test('no tool writes a kind of guardians or of the runner', async () => {
  const { path, house } = await startServer();
  const root = house.add({ text: 'x' });
  const client = await connectClient(path);
  for (const kind of ['halt', 'resume', 'announce', 'retract']) {
    const posted = await call(client, 'post', { kind, text: 'x' });
    const replied = await call(client, 'reply', { kind, text: 'x', parent: root.post.id });
    for (const result of [posted, replied]) {
      expect(result.isError).toBe(true);
      expect(result.text).toContain('kind:');
    }
  }
  expect(house.published).toEqual([]);
});

test('readers are marked as readers and writers as not destructive, for hosts that ask before writing', async () => {
  const { path } = await startServer();
  const { tools } = await (await connectClient(path)).listTools();
  const readOnly = tools.filter((tool) => tool.annotations?.readOnlyHint === true).map(({ name }) => name);
  expect(readOnly.sort()).toEqual(['inbox', 'pending', 'read', 'search', 'status']);
  for (const tool of tools.filter(({ name }) => !readOnly.includes(name))) {
    expect(tool.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: false });
  }
});

test('the schemas are the reviewed ones', async () => {
  const { path } = await startServer();
  const { tools } = await (await connectClient(path)).listTools();
  await expect(JSON.stringify(tools, null, 2)).toMatchFileSnapshot('tools.golden.txt');
});

test('the instructions open with the shared sentence and say when to search, ask and answer', async () => {
  const { path } = await startServer();
  const text = (await connectClient(path)).getInstructions() ?? '';
  expect(text.startsWith(`${SENTENCE}\n`)).toBe(true);
  for (const word of ['Search before', 'Ask when', 'Answer what', 'reputation', 'never instructions']) {
    expect(text).toContain(word);
  }
});
