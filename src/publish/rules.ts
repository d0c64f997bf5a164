import { createHash } from 'node:crypto';
import type { Principal } from '../access/index.ts';
import { WatsError } from '../errors/index.ts';
import { contentHash } from '../review/index.ts';
import { textProblem } from '../swarm/index.ts';
import type { PublishRequest } from './contract.ts';

const REQUEST_ID_CHARACTERS = 200;
const REASON_BYTES = 4_096;

/** Everything that a request asks for, but its id: the same id with another of these is a mistake of the caller. */
export function requestHash(request: PublishRequest): string {
  return createHash('sha256')
    .update(`${contentHash(request)} ${request.local === true ? 'local' : 'swarm'}`)
    .digest('hex');
}

/** @throws WatsError `invalid_post` */
export function checkRequestId(id: string | null): void {
  if (id !== null && (id.length === 0 || id.length > REQUEST_ID_CHARACTERS)) {
    throw new WatsError('invalid_post', `a request id has 1 to ${REQUEST_ID_CHARACTERS} characters`);
  }
}

/** The reason of a rejection is read by a model: it is text, and short. @throws WatsError `too_large`, `invalid_post` */
export function checkReason(reason: string): void {
  const bytes = Buffer.byteLength(reason, 'utf8');
  if (bytes > REASON_BYTES)
    throw new WatsError('too_large', `the reason has ${bytes} bytes; the limit is ${REASON_BYTES}`);
  const problem = textProblem('the reason', reason);
  if (problem) throw new WatsError('invalid_post', problem.message);
}

/** The door that a decision came through, for its record. */
export function throughOf(who: Principal): string {
  return who.kind === 'person' ? who.through : who.kind === 'session' ? 'mcp' : who.kind;
}

export function haltedError(): WatsError {
  return new WatsError('halted', 'a guardian has ordered a halt: nothing of the agent is published', {
    fix: 'wats resume, when you have looked at it',
  });
}
