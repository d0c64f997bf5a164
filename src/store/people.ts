import type { Db } from './database.ts';
import { blob } from './rows.ts';

export interface AgentRecord {
  readonly agent: string;
  readonly author: string;
  /** The previous due time of a heartbeat, and the interval it was counted with. */
  readonly heartbeat: { readonly prev: number; readonly everyMs: number } | null;
  readonly pausedAt: number | null;
  /** What a run met that makes the next one pointless: looked at again at `until`. */
  readonly blocked: {
    readonly code: string;
    readonly text: string;
    readonly until: number;
    readonly count: number;
  } | null;
  /** Hash of what the last announce said, or `null`. */
  readonly announced: string | null;
}

interface AgentRowSql {
  agent: string;
  author: Buffer;
  heartbeat_prev: number | null;
  heartbeat_every: number | null;
  paused_at: number | null;
  blocked_code: string | null;
  blocked_text: string | null;
  blocked_until: number | null;
  blocked_count: number;
  announced: string | null;
}

/** Agents, profiles, guardians, peers, answered intents, and small facts of the node. */
export function peopleStore(db: Db) {
  const agent = db.prepare<[string], AgentRowSql>('SELECT * FROM agents WHERE agent = ?');
  // A new agent starts at the newest post: joining a swarm with 20,000 old asks wakes nobody.
  const addAgent = db.prepare(
    `INSERT INTO agents (agent, author, first_seq, seq_cursor, resolution_cursor)
     SELECT ?, ?, seq, seq, (SELECT coalesce(max(n), 0) FROM resolutions)
       FROM (SELECT coalesce(max(seq), 0) AS seq FROM posts) WHERE true
     ON CONFLICT (agent) DO UPDATE SET author = excluded.author`,
  );
  const heartbeat = db.prepare('UPDATE agents SET heartbeat_prev = ?, heartbeat_every = ? WHERE agent = ?');
  const pause = db.prepare('UPDATE agents SET paused_at = ? WHERE agent = ?');
  const block = db.prepare(
    'UPDATE agents SET blocked_code = ?, blocked_text = ?, blocked_until = ?, blocked_count = ? WHERE agent = ?',
  );
  const announce = db.prepare('UPDATE agents SET announced = ? WHERE agent = ?');
  const addProfile = db.prepare(
    'INSERT INTO profiles (author, profile, made_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const profiles = db.prepare<[], { author: Buffer; profile: string }>(
    'SELECT author, profile FROM profiles ORDER BY made_at',
  );
  const peers = db.prepare<[], { address: string; peer: string; last_seen: number | null }>(
    'SELECT address, peer, last_seen FROM peers ORDER BY added_at',
  );
  const addPeer = db.prepare(
    'INSERT INTO peers (address, peer, added_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const removePeer = db.prepare('DELETE FROM peers WHERE peer = ?');
  const seePeer = db.prepare('UPDATE peers SET last_seen = ? WHERE peer = ?');
  const intent = db.prepare<[string], { result: string }>('SELECT result FROM intents WHERE id = ?');
  const addIntent = db.prepare(
    'INSERT INTO intents (id, at, result) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const dropIntents = db.prepare('DELETE FROM intents WHERE at < ?');
  const meta = db.prepare<[string], { value: string }>('SELECT value FROM meta WHERE key = ?');
  const setMeta = db.prepare(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );

  return {
    agent(name: string): AgentRecord | null {
      const row = agent.get(name);
      if (row === undefined) return null;
      const { blocked_code: code, blocked_text: text, blocked_until: until } = row;
      return {
        agent: row.agent,
        author: row.author.toString('hex'),
        heartbeat:
          row.heartbeat_prev === null || row.heartbeat_every === null
            ? null
            : { prev: row.heartbeat_prev, everyMs: row.heartbeat_every },
        pausedAt: row.paused_at,
        blocked:
          code === null || text === null || until === null
            ? null
            : { code, text, until, count: row.blocked_count },
        announced: row.announced,
      };
    },
    addAgent(name: string, author: string): void {
      addAgent.run(name, blob(author));
    },
    setHeartbeat(name: string, kept: AgentRecord['heartbeat']): void {
      heartbeat.run(kept?.prev ?? null, kept?.everyMs ?? null, name);
    },
    setPaused(name: string, at: number | null): void {
      pause.run(at, name);
    },
    setBlocked(name: string, blocked: AgentRecord['blocked']): void {
      block.run(
        blocked?.code ?? null,
        blocked?.text ?? null,
        blocked?.until ?? null,
        blocked?.count ?? 0,
        name,
      );
    },
    setAnnounced(name: string, hash: string): void {
      announce.run(hash, name);
    },

    addProfile(author: string, profile: string, at: number): void {
      addProfile.run(blob(author), profile, at);
    },
    profiles(): { readonly author: string; readonly profile: string }[] {
      return profiles.all().map((row) => ({ author: row.author.toString('hex'), profile: row.profile }));
    },

    peers(): { readonly address: string; readonly peer: string; readonly lastSeenAt: number | null }[] {
      return peers.all().map((row) => ({ address: row.address, peer: row.peer, lastSeenAt: row.last_seen }));
    },
    addPeer(address: string, peer: string, at: number): void {
      addPeer.run(address, peer, at);
    },
    /** Forgets a peer with all its addresses; answers whether there was one. */
    removePeer(peer: string): boolean {
      return removePeer.run(peer).changes > 0;
    },
    seePeer(peer: string, at: number): void {
      seePeer.run(at, peer);
    },

    /** The answer that an intent with this id got, as JSON. */
    answered(id: string): string | null {
      return intent.get(id)?.result ?? null;
    },
    answer(id: string, at: number, result: string): void {
      addIntent.run(id, at, result);
    },
    forgetIntents(before: number): void {
      dropIntents.run(before);
    },

    meta(key: string): string | null {
      return meta.get(key)?.value ?? null;
    },
    setMeta(key: string, value: string): void {
      setMeta.run(key, value);
    },
  };
}
