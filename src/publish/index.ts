/** The one door by which anything local is posted: rights, review, signing, intake. */
export { announceHash } from './announce-hash.ts';
export type {
  Ledger,
  Order,
  Parent,
  Publisher,
  PublishOptions,
  PublishRequest,
  PublishResult,
} from './contract.ts';
export { createPublisher } from './publisher.ts';
