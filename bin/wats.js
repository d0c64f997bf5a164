#!/usr/bin/env node
// The launcher: plain old JavaScript, so that an old Node prints a sentence instead of a syntax error.
var parts = process.versions.node.split('.');
var major = Number(parts[0]);
var minor = Number(parts[1]);
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    'wats: needs Node.js 22.22 or newer, this is ' +
      process.versions.node +
      '. In a clone, use "npm start"; elsewhere install a newer Node.js.\n',
  );
  process.exit(1);
} else {
  import('node:module')
    .then((m) => {
      m.enableCompileCache();
      // The bridge of agent sessions is started often and needs next to nothing: it has a bundle of its own.
      return process.argv[2] === 'mcp' ? import('../dist/bridge.js') : import('../dist/main.js');
    })
    .catch((error) => {
      process.stderr.write('wats: cannot start: ' + (error && error.message) + '\n');
      process.exit(1);
    });
}
