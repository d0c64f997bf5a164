/** What was opened, closed in reverse. */
export interface Closers {
  add(close: () => void | Promise<void>): void;
  /** Closes everything, also when a part of it fails; each failure is told. Safe to repeat. */
  closeAll(failed: (error: unknown) => void): Promise<void>;
}

export function createClosers(): Closers {
  const closers: (() => void | Promise<void>)[] = [];
  return {
    add: (close) => {
      closers.push(close);
    },
    async closeAll(failed) {
      for (const close of closers.splice(0).reverse()) {
        try {
          await close();
        } catch (error) {
          failed(error);
        }
      }
    },
  };
}
