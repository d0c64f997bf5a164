/** Registering wats in other programs, through their own command lines, and finding what is registered there. */
export { askerOf, lastWords } from './ask.ts';
export { carryOut, type Hands } from './carry-out.ts';
export { ensureRegistered, staleRegistrations } from './ensure.ts';
export { directoryOf, type Entry, entryLine, type WantedFacts, wantedEntry } from './entry.ts';
export type { Ask, Host, Machine, Registered, Scope } from './host.ts';
export { HOSTS, hostNamed } from './hosts.ts';
export * as openclaw from './openclaw/index.ts';
export {
  joinPlans,
  type Plan,
  planAgent,
  planNoAgent,
  planRegister,
  planUnregister,
  type Standing,
  type Step,
  standingOf,
} from './plan.ts';
export { installedServices, type Service } from './services.ts';
export { type Surveyed, survey, versionOf } from './survey.ts';
