import { createHash } from 'node:crypto';

/** A short stable hash of what an announce says, to see whether it changed. */
export function announceHash(text: { title: string; text: string; tags: readonly string[] }): string {
  return createHash('sha256')
    .update(JSON.stringify([text.title, text.text, text.tags]))
    .digest('hex');
}
