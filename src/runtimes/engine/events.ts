import type { RunEvent } from '../contract.ts';

/** A queue with one reader: pushed now, read when the reader comes. Ends after the `end` event. */
export class EventQueue implements AsyncIterable<RunEvent> {
  readonly #waiting: RunEvent[] = [];
  #wake: (() => void) | null = null;
  #ended = false;

  push(event: RunEvent): void {
    if (this.#ended) return;
    if (event.type === 'end') this.#ended = true;
    this.#waiting.push(event);
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RunEvent, void> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event === undefined) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        await promise;
        continue;
      }
      yield event;
      if (event.type === 'end') return;
    }
  }
}
