import { generateKeyPairSync, sign } from 'node:crypto';
import { type Post, type PostBody, postId } from '../../src/swarm/index.ts';

/** An author of tests: a real key, made for the occasion. */
export class Author {
  readonly key: string;
  readonly #private;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
    this.#private = privateKey;
  }

  /** A signed post by this author. */
  post(fields: Partial<PostBody> = {}): Post {
    const body: PostBody = {
      v: 1,
      space: 'open',
      author: this.key,
      ts: 1_800_000_000,
      kind: 'ask',
      root: null,
      parent: null,
      title: '',
      text: 'hello',
      tags: [],
      ...fields,
    };
    const id = postId(body);
    return { ...body, id, sig: sign(null, Buffer.from(id, 'hex'), this.#private).toString('hex') };
  }

  reply(parent: Pick<Post, 'id' | 'root'>, fields: Partial<PostBody> = {}): Post {
    return this.post({ kind: 'answer', root: parent.root ?? parent.id, parent: parent.id, ...fields });
  }
}
