import type Database from 'better-sqlite3';
import { WatsError } from '../errors/index.ts';
import type { Db } from './database.ts';
import { isIndexDamage } from './failures.ts';
import { counted, type Found } from './posts.ts';
import { blob, type PostRowSql, postColumns, toStored } from './rows.ts';
import { emptyIndex } from './search-index.ts';

export interface SearchQuery {
  /** Words, of which the first 32 must all occur; never a query language. Empty: every post, newest first. */
  readonly text: string;
  readonly kinds: readonly string[];
  readonly author: string | null;
  /** Seconds since the epoch. */
  readonly since: number | null;
  /** 0 to 5,000: nobody pages further. */
  readonly offset: number;
  readonly limit: number;
}

/** More words than these narrow nothing, and FTS5 refuses some hundreds. */
const MOST_WORDS = 32;

/**
 * Each word quoted, so that nothing a person or a model writes is an operator of FTS5. Control characters part words:
 * FTS5 reads its expressions up to the first NUL.
 */
export function matchExpression(text: string): string {
  const words = text.split(/[\s\p{Cc}]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return words
    .slice(0, MOST_WORDS)
    .map((word) => `"${word.replaceAll('"', '""')}"`)
    .join(' ');
}

/**
 * Posts that a search looks at before it gives up: a filter that fits almost none of a million posts must not hold
 * up everything else. What lies further back is not found then, and `isMore` says so.
 */
const MOST_EXAMINED = 5_000;

/** Hits after a page that are counted: enough to say that there are more, at a tenth of the price of the page. */
const COUNTED_PAST = 20;
const STATEMENTS_KEPT = 50;

interface Part {
  readonly sql: string;
  readonly values: readonly (string | number | Buffer)[];
}

const part = (sql: string, ...values: Part['values'][number][]): Part => ({ sql, values });

/**
 * Full-text search over title and text, newest first: that beats relevance for a stream of posts, and lets FTS5 walk
 * rowids backwards without sorting. The index is fed behind the posts; {@link searchFeeder} keeps it current.
 * The total is counted {@link COUNTED_PAST} past the page at most.
 *
 * @param onDamage what to do when the index turns out to be damaged: by default it is emptied, to be fed again
 */
export function searcher(db: Db, onDamage: () => void = () => emptyIndex(db)) {
  // A page in the order of its seqs, in one statement: one by one takes a fifth longer.
  const bySeqs = db.prepare<[string], PostRowSql>(
    `SELECT ${postColumns('p')} FROM json_each(?) hit CROSS JOIN posts p ON p.seq = hit.value`,
  );
  const spacesHere = db.prepare<[], { space: string }>('SELECT DISTINCT space FROM days');
  const kept = new Map<string, Database.Statement<unknown[], number>>();

  /** The seqs that a query gives; it is prepared once for each of the few forms that a search takes. */
  function seqsOf(sql: string, values: readonly unknown[]): number[] {
    let statement = kept.get(sql);
    if (statement === undefined) {
      if (kept.size >= STATEMENTS_KEPT) kept.clear();
      statement = db.prepare<unknown[], number>(sql).pluck();
      kept.set(sql, statement);
    }
    return statement.all(...values);
  }

  return function search(query: SearchQuery): Found {
    const match = matchExpression(query.text);
    if (query.text.trim() !== '' && match === '') return { posts: [], total: 0, isMore: false };
    if (query.offset > MOST_EXAMINED) return { posts: [], total: MOST_EXAMINED, isMore: true };
    try {
      return match === '' ? withoutText(query) : withText(query, match);
    } catch (error) {
      if (!isIndexDamage(error)) throw error;
      onDamage();
      throw new WatsError('storage', 'the search index was damaged and is being made again', {
        fix: 'search again in a few minutes; no post was lost',
        cause: error,
      });
    }
  };

  function withText(query: SearchQuery, match: string): Found {
    const matching = part('posts_fts MATCH ?', match);
    // Author and kinds are looked up in their indexes: a filter that fits little would read a page for each candidate.
    const filters: Part[] = [];
    if (query.author !== null) filters.push(among('posts_author', part('author = +?', blob(query.author))));
    if (query.kinds.length > 0)
      filters.push(among('posts_kind', part(`kind IN (${marks(query.kinds)})`, ...query.kinds)));
    if (query.since !== null) filters.push(part('p.ts >= ?', query.since));
    const from = query.since === null ? 'posts_fts' : 'posts_fts JOIN posts p ON p.seq = posts_fts.rowid';
    return bounded('posts_fts', 'posts_fts.rowid', matching, from, filters, query);
  }

  function withoutText(query: SearchQuery): Found {
    if (query.author !== null) {
      const own = part('p.author = +?', blob(query.author));
      return bounded('posts p', 'p.seq', own, 'posts p', filtersOf(query, ['kinds', 'since']), query);
    }
    if (query.kinds.length > 0) return ofKinds(query);
    return query.since === null ? page('posts', 'seq', [], query, false) : recent(query, query.since);
  }

  /** Each kind from its index, newest first, merged. */
  function ofKinds(query: SearchQuery): Found {
    const filters = filtersOf(query, ['since']);
    const reach = query.offset + query.limit + COUNTED_PAST + 1;
    let isCut = false;
    const lists = query.kinds.map((kind) => {
      const one = part('p.kind = +?', kind);
      const bound = filters.length > 0 ? [after('posts p', 'p.seq', one)] : [];
      isCut ||= bound.some(({ values: [oldest] }) => oldest !== 0);
      const where = conditions([one, ...filters, ...bound]);
      return part(
        `SELECT * FROM (SELECT p.seq FROM posts p ${where.sql} ORDER BY p.seq DESC LIMIT +?)`,
        ...where.values,
        reach,
      );
    });
    const seqs = lists.map(({ sql }) => sql).join(' UNION ');
    const values = lists.flatMap((list) => list.values);
    const found = foundAt(seqsOf(`${seqs} ORDER BY seq DESC LIMIT +?`, [...values, reach]), query);
    return isCut ? { ...found, isMore: true } : found;
  }

  /** Posts since a time: from the index of times when they are few, else among the newest. */
  function recent(query: SearchQuery, since: number): Found {
    const spaces = spacesHere.all();
    const dated = part(
      `p.space IN (${marks(spaces)}) AND p.ts >= ?`,
      ...spaces.map(({ space }) => space),
      since,
    );
    const seqs = seqsOf(`SELECT p.seq FROM posts p INDEXED BY posts_space_ts WHERE ${dated.sql} LIMIT +?`, [
      ...dated.values,
      MOST_EXAMINED + 1,
    ]);
    if (seqs.length <= MOST_EXAMINED) {
      seqs.sort((a, b) => b - a);
      return foundAt(seqs, query);
    }
    return bounded('posts p', 'p.seq', null, 'posts p', [part('p.ts >= ?', since)], query);
  }

  /** Candidates in order, the newest {@link MOST_EXAMINED} of them, and of those what the filters let through. */
  function bounded(
    source: string,
    key: string,
    candidates: Part | null,
    from: string,
    filters: readonly Part[],
    query: SearchQuery,
  ): Found {
    const start = candidates === null ? [] : [candidates];
    if (filters.length === 0) return page(from, key, start, query, false);
    const bound = after(source, key, candidates);
    return page(from, key, [...start, ...filters, bound], query, bound.values[0] !== 0);
  }

  /** The condition that leaves the newest {@link MOST_EXAMINED} candidates. */
  function after(source: string, key: string, candidates: Part | null): Part {
    const where = conditions(candidates === null ? [] : [candidates]);
    const [oldest = 0] = seqsOf(
      `SELECT ${key} AS seq FROM ${source} ${where.sql} ORDER BY ${key} DESC LIMIT 1 OFFSET +?`,
      [...where.values, MOST_EXAMINED],
    );
    return part(`${key} > ?`, oldest);
  }

  function page(
    from: string,
    key: string,
    parts: readonly Part[],
    query: SearchQuery,
    isCut: boolean,
  ): Found {
    const where = conditions(parts);
    const most = query.offset + query.limit + COUNTED_PAST;
    const seqs = seqsOf(`SELECT ${key} AS seq FROM ${from} ${where.sql} ORDER BY ${key} DESC LIMIT +?`, [
      ...where.values,
      most + 1,
    ]);
    const found = foundAt(seqs, query);
    return isCut ? { ...found, isMore: true } : found;
  }

  function foundAt(seqs: readonly number[], { offset, limit }: SearchQuery): Found {
    const hits = JSON.stringify(seqs.slice(offset, offset + limit));
    return { posts: bySeqs.all(hits).map(toStored), ...counted(seqs.length, offset + limit + COUNTED_PAST) };
  }
}

/** That a hit is among the posts of an index. */
function among(index: string, condition: Part): Part {
  const { sql, values } = condition;
  return part(
    `EXISTS (SELECT 1 FROM posts INDEXED BY ${index} WHERE ${sql} AND seq = posts_fts.rowid)`,
    ...values,
  );
}

const marks = (values: readonly unknown[]): string => values.map(() => '+?').join(', ');

/** Conditions on posts themselves. */
function filtersOf({ kinds, since }: SearchQuery, which: readonly ('kinds' | 'since')[]): Part[] {
  const parts: Part[] = [];
  if (which.includes('kinds') && kinds.length > 0) parts.push(part(`p.kind IN (${marks(kinds)})`, ...kinds));
  if (which.includes('since') && since !== null) parts.push(part('p.ts >= ?', since));
  return parts;
}

function conditions(parts: readonly Part[]): Part {
  if (parts.length === 0) return part('');
  return part(`WHERE ${parts.map(({ sql }) => sql).join(' AND ')}`, ...parts.flatMap(({ values }) => values));
}
