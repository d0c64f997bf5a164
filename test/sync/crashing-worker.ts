/** The real worker, which dies when a test says so. */
const channel = new BroadcastChannel('test: crash');
channel.onmessage = () => {
  throw new Error('the worker was killed by a test');
};
await import('../../src/sync/worker.ts');

export {};
