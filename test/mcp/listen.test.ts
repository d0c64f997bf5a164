import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listenMcp } from '../../src/mcp/index.ts';
import { connectRaw, line } from './support/raw.ts';
import { startServer, temporaryDir } from './support/server.ts';

test.each([
  ['0600', 0o600],
  ['0660', 0o660],
])('the socket has mode %s', async (_name, mode) => {
  const path = join(await temporaryDir(), 'mcp.sock');
  const listening = await listenMcp(path, { mode }, (socket) => socket);
  expect((await stat(path)).mode & 0o777).toBe(mode);
  await listening.close(0);
});

test('a socket that a killed daemon left behind is replaced', async () => {
  const path = join(await temporaryDir(), 'mcp.sock');
  const killed = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  await expect(promisify(execFile)(process.execPath, ['-e', killed])).rejects.toMatchObject({
    signal: 'SIGKILL',
  });
  expect(existsSync(path)).toBe(true);
  await startServer({}, path);
  await connectRaw(path);
});

test('a socket that somebody answers on is left alone', async () => {
  const { path } = await startServer();
  await expect(listenMcp(path, { mode: 0o600 }, (socket) => socket)).rejects.toMatchObject({
    code: 'already_running',
  });
  await connectRaw(path);
});

test('a file that is no socket is left alone', async () => {
  const path = join(await temporaryDir(), 'mcp.sock');
  await writeFile(path, 'precious');
  await expect(listenMcp(path, { mode: 0o600 }, (socket) => socket)).rejects.toMatchObject({
    code: 'directory',
  });
  expect((await stat(path)).size).toBe(8);
});

test('a folder that is not there is an error that names the path', async () => {
  const path = join(await temporaryDir(), 'absent', 'mcp.sock');
  await expect(listenMcp(path, { mode: 0o600 }, (socket) => socket)).rejects.toMatchObject({
    code: 'directory',
    message: expect.stringContaining(path),
  });
});

test('closing ends every connection, also one that never ends its side, and removes the socket', async () => {
  const path = join(await temporaryDir(), 'mcp.sock');
  const listening = await listenMcp(path, { mode: 0o600 }, (socket) => socket);
  const stubborn = connect({ path, allowHalfOpen: true });
  onTestFinished(() => void stubborn.destroy());
  stubborn.on('end', () => stubborn.write(line({ method: 'still here' })));
  stubborn.resume();
  await new Promise((resolve) => stubborn.once('connect', resolve));
  await vi.waitUntil(() => listening.count() === 1);
  await listening.close(50);
  expect(listening.count()).toBe(0);
  expect(existsSync(path)).toBe(false);
});
