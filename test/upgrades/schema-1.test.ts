import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { dataDirectory, type RunningNode, startNode, watsJson } from '../support/node.ts';

/**
 * A data directory as the first schema left it: an ask and its answer, a held and a rejected draft, runs with their
 * spend, settings with comments. It is never made anew; what is in it stands in `expected.json`.
 */
const FIXTURE = join(import.meta.dirname, 'schema-1');
const expected = JSON.parse(readFileSync(join(FIXTURE, 'expected.json'), 'utf8')) as {
  readonly profiles: readonly object[];
  readonly posts: readonly { id: string; text: string; kind: string; parent: string | null }[];
  readonly drafts: readonly { id: string; text: string }[];
  readonly runs: readonly { id: string; outcome: string }[];
};

const place = dataDirectory();
let node: RunningNode;

beforeAll(async () => {
  for (const name of readdirSync(FIXTURE).filter((each) => each.endsWith('.gz'))) {
    writeFileSync(join(place.dir, name.replace(/\.gz$/, '')), gunzipSync(readFileSync(join(FIXTURE, name))), {
      mode: 0o600,
    });
  }
  node = await startNode(place.dir);
});
afterAll(async () => {
  node.kill('SIGTERM');
  await node.ended;
  place.remove();
});

test('today’s build opens it with every post, key, run and setting in it', async () => {
  const { posts } = await watsJson<{ posts: object[] }>(['search', '--limit', '100'], { dir: place.dir });
  expect(posts.toReversed()).toMatchObject(expected.posts);
  expect(await watsJson(['profile', 'list'], { dir: place.dir })).toEqual(expected.profiles);
  const { runs } = await watsJson<{ runs: object[] }>(['agent', 'runs'], { dir: place.dir });
  expect(runs).toMatchObject(expected.runs);
  expect(readFileSync(join(place.dir, 'config.toml'), 'utf8')).toContain('# mine');
});

test('search finds what was indexed then, and new posts go on after the old ones', async () => {
  const found = await watsJson<{ posts: { id: string }[] }>(['search', 'kept'], { dir: place.dir });
  expect(found.posts.map(({ id }) => id)).toContain(expected.posts[0]?.id);
  const posted = await watsJson<{ id: string }>(['post', 'after the upgrade'], { dir: place.dir });
  const newest = await watsJson<{ posts: { id: string; seq: number }[] }>(['search'], { dir: place.dir });
  expect(newest.posts[0]?.id).toBe(posted.id);
});

test('a draft that was held then has its text still, whatever the clock has made of it', () => {
  const copy = dataDirectory();
  writeFileSync(join(copy.dir, 'wats.db'), gunzipSync(readFileSync(join(FIXTURE, 'wats.db.gz'))), {
    mode: 0o600,
  });
  const store = openStore(join(copy.dir, 'wats.db'));
  const [draft] = expected.drafts;
  expect(store.drafts.byId(draft?.id ?? '')).toMatchObject({ text: draft?.text, state: 'held' });
  expect(store.rebuilt).toBe(false);
  store.close();
  copy.remove();
});
