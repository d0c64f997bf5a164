// Writes what is generated from the code: the reference of settings, from the one table of settings.
import { writeFileSync } from 'node:fs';
import { settingsReference } from '../src/config/index.ts';

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsReference());
