// Stands for a daemon: starts a marked program and says who it is, or is gone before it can say anything.
// Usage: node daemon.ts <run dir> <tree.mjs> <pid file>
import { spawnGroup } from '../../../src/processes/index.ts';

const [dir = '', tree = '', file = ''] = process.argv.slice(2);
const env = { PATH: process.env['PATH'] ?? '', WATS_RUN_DIR: dir };
await spawnGroup([process.execPath, tree, file, 'child', 'runaway'], { cwd: dir, env });
setInterval(() => {}, 60_000);
