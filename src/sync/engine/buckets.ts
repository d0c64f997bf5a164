/** Token buckets by key. Bounded: the key that was used least recently makes room, which only helps a newcomer. */
export class Buckets {
  readonly #levels = new Map<string, { tokens: number; at: number }>();
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #maxKeys: number;

  constructor(perSecond: number, burst: number, maxKeys = 10_000) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#maxKeys = maxKeys;
  }

  /** Takes one token. `false`: there is none, and nothing was taken. A clock that goes back adds nothing. */
  take(key: string, nowMs: number): boolean {
    const level = this.#levels.get(key) ?? { tokens: this.#burst, at: nowMs };
    const gained = Math.max(0, nowMs - level.at) * (this.#perSecond / 1_000);
    const tokens = Math.min(this.#burst, level.tokens + gained);
    const granted = tokens >= 1;
    this.#levels.delete(key);
    this.#levels.set(key, { tokens: granted ? tokens - 1 : tokens, at: nowMs });
    if (this.#levels.size > this.#maxKeys) {
      for (const oldest of this.#levels.keys()) {
        this.#levels.delete(oldest);
        break;
      }
    }
    return granted;
  }
}
