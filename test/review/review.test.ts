import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentHash, decidable, draftId, type HeldDraft } from '../../src/review/index.ts';

const draft: HeldDraft = {
  id: 'd-abc',
  agent: 'main',
  profile: 'p',
  author: 'a'.repeat(64),
  space: 'open',
  root: null,
  kind: 'ask',
  parent: null,
  title: 'title',
  text: 'text',
  tags: ['a', 'b'],
  sha256: 'f'.repeat(64),
  run: null,
  createdAt: 0,
  expiresAt: 100,
  state: 'held',
};

describe('contentHash', () => {
  it('is SHA-256 of the JSON of what is shown, as worked out elsewhere', () => {
    // printf '["ask",null,"title","text",["a","b"]]' | sha256sum
    expect(contentHash(draft)).toBe('322424ca8a874b087badaf9a9ee31784204d730c2c0a7f4b66a722bd38496045');
  });

  it('is another for any other content', () => {
    const content = fc.record({
      kind: fc.constantFrom('ask', 'note'),
      parent: fc.constantFrom(null, 'a', ''),
      title: fc.constantFrom('', 'a', 'a"', '",'),
      text: fc.constantFrom('', 'a', 'a"', '",'),
      tags: fc.array(fc.constantFrom('', 'a', '","'), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(content, content, (one, other) => {
        expect(contentHash(one) === contentHash(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });
});

describe('draftId', () => {
  it('is short, sayable and made of the bytes that it is given', () => {
    expect(draftId((length) => new Uint8Array(length))).toBe('d-aaaaaaaa');
    expect(draftId((length) => new Uint8Array(length).fill(255))).toBe('d-hhhhhhhh');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (bytes) => {
        expect(draftId(() => bytes)).toMatch(/^d-[a-hj-km-np-z2-9]{8}$/);
      }),
    );
  });
});

describe('decidable', () => {
  const desk = (fields: Partial<HeldDraft>) => ({
    byId: (id: string) => (id === draft.id ? { ...draft, ...fields } : null),
  });

  it('lets a held draft be decided until the moment it expires', () => {
    expect(decidable(desk({}), 'd-abc', draft.sha256, 99)).toEqual(draft);
    expect(decidable(desk({}), 'd-abc', null, 99)).toEqual(draft);
    expect(() => decidable(desk({}), 'd-abc', null, 100)).toThrow(
      expect.objectContaining({ code: 'decided' }),
    );
  });

  it.each(['approved', 'rejected', 'expired'] as const)('says of one that was %s that it was', (state) => {
    expect(() => decidable(desk({ state }), 'd-abc', 'anything', 0)).toThrow(
      expect.objectContaining({ code: 'decided', message: `draft d-abc was ${state} already` }),
    );
  });
});
