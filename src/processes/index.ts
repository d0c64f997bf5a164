/** Process groups: start one, tell it from a later one with the same id, end it, find what was left behind. */
export { ancestors, insideRun } from './ancestors.ts';
export { endGroup, type Graces, groupMembers, signalGroup } from './group.ts';
export { identityOf, isAlive, type ProcessIdentity } from './identity.ts';
export { endLeftovers, findByMarker, type Leftovers } from './marker.ts';
export { RUN_MARKER } from './run-marker.ts';
export { type Exit, type SpawnedGroup, type SpawnOptions, spawnGroup } from './spawn.ts';
