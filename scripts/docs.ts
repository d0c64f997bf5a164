// Writes what is generated from the code: the reference of settings from their one table, the page of the live screen
// from the one table of keys.
import { writeFileSync } from 'node:fs';
import { settingsReference } from '../src/config/index.ts';
import { screenPage } from './screen-page.ts';

writeFileSync(new URL('../docs/settings.md', import.meta.url), settingsReference());
writeFileSync(new URL('../docs/screen.md', import.meta.url), screenPage());
