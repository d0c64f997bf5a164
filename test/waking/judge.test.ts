import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentFacts, judge, type PostFacts, RULE_ORDER } from '../../src/waking/index.ts';

const ME = 'a'.repeat(64);
const LOCAL = 'b'.repeat(64);
const ANN = 'c'.repeat(64);
const BOB = 'd'.repeat(64);
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 30, 12);

const agent: AgentFacts = {
  author: ME,
  localAuthors: [LOCAL],
  ignoreLocal: true,
  allow: null,
  maxAgeMs: 48 * HOUR,
};
const ask: PostFacts = {
  id: '1'.repeat(64),
  author: ANN,
  ts: NOW / 1000 - 60,
  kind: 'ask',
  parentAuthor: null,
  chain: 'root',
};
const reply = (kind: string, parentAuthor: string | null, more: Partial<PostFacts> = {}): PostFacts => ({
  ...ask,
  kind,
  parentAuthor,
  chain: 'resolved',
  ...more,
});

describe('judge', () => {
  it.each([
    ['an ask of a stranger wakes', ask, {}, 'wake', 'ask'],
    ['an ask inside a thread wakes', reply('ask', BOB), {}, 'wake', 'ask'],
    ['an ask of the agent itself does not', { ...ask, author: ME }, {}, 'no', 'own'],
    ['an ask of another profile of this node does not', { ...ask, author: LOCAL }, {}, 'no', 'ignore_local'],
    ['it does with ignore_local off', { ...ask, author: LOCAL }, { ignoreLocal: false }, 'wake', 'ask'],
    ['an author who is not listed does not wake', ask, { allow: [BOB] }, 'no', 'allow'],
    ['an empty list admits nobody', ask, { allow: [] }, 'no', 'allow'],
    ['a listed author wakes', ask, { allow: [BOB, ANN] }, 'wake', 'ask'],
    ['a graft does not wake', reply('answer', ME, { chain: 'graft' }), {}, 'no', 'chain'],
    ['an unresolved ask waits', reply('ask', null, { chain: 'unresolved' }), {}, 'later', 'chain'],
    ['48 h old still wakes', { ...ask, ts: NOW / 1000 - 48 * 3600 }, {}, 'wake', 'ask'],
    ['a second older does not', { ...ask, ts: NOW / 1000 - 48 * 3600 - 1 }, {}, 'no', 'age'],
    ['a post ahead of this clock wakes', { ...ask, ts: NOW / 1000 + 600 }, {}, 'wake', 'ask'],
    ['an answer to the agent wakes', reply('answer', ME), {}, 'wake', 'reply'],
    ['a claim on its post wakes', reply('claim', ME), {}, 'wake', 'reply'],
    ['an answer to somebody else does not', reply('answer', BOB), {}, 'no', 'otherwise'],
    ['a vouch for its post is feedback', reply('vouch', ME), {}, 'feedback', 'feedback'],
    ['a note on its post is feedback', reply('note', ME), {}, 'feedback', 'feedback'],
    ['a reaction to somebody else is nothing', reply('react', BOB), {}, 'no', 'otherwise'],
    ['an offer as a root does not wake', { ...ask, kind: 'offer' }, {}, 'no', 'otherwise'],
    ['a halt under its post does not wake', reply('halt', ME), {}, 'no', 'otherwise'],
    ['a resume does not wake', reply('resume', ME), {}, 'no', 'otherwise'],
    ['an announce does not wake', { ...ask, kind: 'announce' }, {}, 'no', 'otherwise'],
    ['an unknown kind does not wake', reply('summon', ME), {}, 'no', 'otherwise'],
  ] as const)('%s', (_name, post, settings, kind, rule) => {
    const judgement = judge(post, { ...agent, ...settings }, NOW);
    expect([judgement.kind, judgement.because.rule]).toEqual([kind, rule]);
  });

  it('shows every rule in order with the value it saw, also after the one that decided', () => {
    const { trace } = judge(reply('vouch', ME), { ...agent, allow: [ANN, BOB] }, NOW);
    expect(trace).toEqual([
      { rule: 'own', saw: ANN, limit: ME, decided: false },
      { rule: 'ignore_local', saw: 'another node', limit: true, decided: false },
      { rule: 'allow', saw: true, limit: 2, decided: false },
      { rule: 'chain', saw: 'resolved', limit: null, decided: false },
      { rule: 'age', saw: 60_000, limit: 48 * HOUR, decided: false },
      { rule: 'ask', saw: 'vouch', limit: 'ask', decided: false },
      { rule: 'reply', saw: 'vouch', limit: 'actionable', decided: false },
      { rule: 'feedback', saw: 'vouch', limit: 'feedback', decided: true },
      { rule: 'otherwise', saw: 'vouch', limit: null, decided: false },
    ]);
  });
});

const authors = fc.constantFrom(ME, LOCAL, ANN, BOB);
const kinds = fc.constantFrom(
  ...['ask', 'answer', 'clarify', 'offer', 'claim', 'release', 'react', 'vouch', 'progress', 'note'],
  ...['announce', 'halt', 'resume', 'retract', 'summon'],
);
const posts = fc.record({
  id: fc.constant('1'.repeat(64)),
  author: authors,
  ts: fc.integer({ min: NOW / 1000 - 100 * 3600, max: NOW / 1000 + 600 }),
  kind: kinds,
  parentAuthor: fc.option(authors),
  chain: fc.constantFrom('root', 'resolved', 'graft', 'unresolved'),
}) as fc.Arbitrary<PostFacts>;
const agents = fc.record({
  author: fc.constant(ME),
  localAuthors: fc.constant([LOCAL]),
  ignoreLocal: fc.boolean(),
  allow: fc.option(fc.uniqueArray(authors)),
  maxAgeMs: fc.constantFrom(0, HOUR, 48 * HOUR),
});

describe('judge, for every post and setting', () => {
  it('wakes exactly for a fresh, whole, admitted ask or actionable reply to the agent', () => {
    const actionable = new Set(['ask', 'answer', 'clarify', 'offer', 'claim', 'release']);
    fc.assert(
      fc.property(posts, agents, (post, facts) => {
        const admitted =
          post.author !== ME &&
          !(post.author === LOCAL && facts.ignoreLocal) &&
          (facts.allow?.includes(post.author) ?? true);
        const whole = post.chain === 'root' || post.chain === 'resolved';
        const fresh = post.ts * 1000 + facts.maxAgeMs >= NOW;
        const forIt = post.kind === 'ask' || (post.parentAuthor === ME && actionable.has(post.kind));
        const { kind } = judge(post, facts, NOW);
        expect(kind === 'wake').toBe(admitted && whole && fresh && forIt);
        expect(kind === 'later').toBe(admitted && post.chain === 'unresolved');
      }),
      { numRuns: 2000 },
    );
  });

  it('traces every rule once, in the order of the page, and exactly one decided', () => {
    fc.assert(
      fc.property(posts, agents, (post, facts) => {
        const { trace, because } = judge(post, facts, NOW);
        expect(trace.map((step) => step.rule)).toEqual([...RULE_ORDER]);
        const decided = trace.filter((step) => step.decided);
        expect(decided).toEqual([{ ...because, decided: true }]);
      }),
    );
  });
});
