/** The live screen and the linear mode: draw a View, send intents. Know the types of control/ and text/, nothing else. */
export type { ThemeName } from './cells/theme.ts';
export type { Remap } from './keys/bind.ts';
export { mountPlain, type PlainOptions } from './plain/mount.ts';
export { mountScreen, type Screen, type ScreenOptions } from './screen/mount.tsx';
export type { Leaving } from './state/state.ts';
