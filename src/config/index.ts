/** The one table of settings: sources and precedence, config.toml, safety.json, flags, docs, completions. */
export { type CommandName, completions, type Shell } from './completions.ts';
export { otherVariables, variableOf } from './environment.ts';
export { type ConfigText, readConfigFile } from './file.ts';
export { type Flag, type FlagReader, type FlagValues, flagOf, flagsFromTable, flagValues } from './flags.ts';
export { type AddressVerdict, type GatewayAddress, gatewayAddress, isReach } from './gateway-address.ts';
export {
  describeSource,
  type Inputs,
  type Loaded,
  loadSettings,
  loosened,
  type Source,
  type Surroundings,
  showValue,
} from './load.ts';
export type { Suggest } from './problems.ts';
export { realPath } from './real-path.ts';
export { settingsReference } from './reference.ts';
export { diffSafety, readSafety, recordSafety, type Safety, type SafetyChange } from './safety.ts';
export { type Change, type Saved, saveSettings } from './save.ts';
export {
  isKey,
  type Key,
  keys,
  retired,
  type Settings,
  safetyKeys,
  settingOf,
  type ValueOf,
} from './table.ts';
