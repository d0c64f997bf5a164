/** The one door by which a post enters the store: limits, verification, one transaction that appends it. */
import { WatsError } from '../errors/index.ts';
import type { Store } from '../store/index.ts';
import { checkPost, LOCAL_SPACE, type Post } from '../swarm/index.ts';

/** Where a post comes from. Received posts were verified in the worker that received them. */
export type Source = 'own' | 'peer';

export interface Received {
  readonly post: Post;
  /** The peer it came from. */
  readonly from: string;
}

/** What everybody else hears: posts that were stored just now, in arrival order. */
export interface Stored {
  readonly post: Post;
  readonly seq: number;
  readonly source: Source;
}

export interface IntakeOptions {
  readonly store: Pick<Store, 'append' | 'appendAll' | 'atomically' | 'posts'>;
  /** The space of this node's swarm; a post of another one is refused. */
  readonly space: () => string;
  /** Above this many bytes received posts are refused; own ones are not. */
  readonly maxBytes: number;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** Called after the transaction, once a batch. Must not throw. */
  readonly onStored: (stored: readonly Stored[]) => void;
}

export interface Intake {
  /**
   * Appends an own post, in the caller's transaction when there is one (its effect is written in the same).
   * The announcement waits for {@link Intake.announce}, which the caller calls after the commit.
   * @throws WatsError `invalid_post`, `storage`
   */
  own(post: Post): Stored;
  /** Tells everybody of own posts that were committed. */
  announce(stored: readonly Stored[]): void;
  /**
   * Appends posts that were verified on the way in, in one transaction.
   * @returns ids of those that were not stored and never will be (another space)
   * @throws WatsError `storage` when the disk refuses; nothing of the batch is stored then
   */
  received(batch: readonly Received[]): readonly string[];
}

export function createIntake(options: IntakeOptions): Intake {
  const { store, space, maxBytes, now, onStored } = options;

  return {
    own(post) {
      const checked = checkPost(post, Math.floor(now() / 1000));
      if (!checked.ok) throw new WatsError('invalid_post', checked.problem.message);
      if (post.space !== space() && post.space !== LOCAL_SPACE) {
        throw new WatsError(
          'invalid_post',
          `the post is of the space ${post.space}, this node's is ${space()}`,
        );
      }
      return store.atomically(() => {
        const appended = store.append(post, now(), 'own');
        // The same words in the same second make the same id: it is here, and that is what was asked for.
        const seq = appended?.seq ?? store.posts.byId(post.id)?.seq;
        if (seq === undefined) throw new Error('an appended post has no seq');
        return { post, seq, source: 'own' };
      });
    },

    announce(stored) {
      if (stored.length > 0) onStored(stored);
    },

    received(batch) {
      const fitting = batch.filter(({ post }) => post.space === space());
      const refused = batch.filter(({ post }) => post.space !== space()).map(({ post }) => post.id);
      if (fitting.length === 0) return refused;
      if (store.posts.bytes() > maxBytes) {
        throw new WatsError('storage', `the store is over store.max_bytes (${maxBytes} bytes)`, {
          fix: 'raise store.max_bytes, or move the data directory to a larger disk',
        });
      }
      const at = now();
      const posts = fitting.map(({ post }) => post);
      const stored = store.appendAll(posts, at, 'peer').flatMap((appended, n): Stored[] => {
        const post = posts[n];
        return appended === null || post === undefined ? [] : [{ post, seq: appended.seq, source: 'peer' }];
      });
      if (stored.length > 0) onStored(stored);
      return refused;
    },
  };
}
