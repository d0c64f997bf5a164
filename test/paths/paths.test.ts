import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dataDir, networkFileSystem, runtimeDirOf, socketPath } from '../../src/paths/index.ts';

describe('the data directory', () => {
  test('is what --dir says, whatever the environment says', () => {
    expect(dataDir({ WATS_DIR: '/env', XDG_DATA_HOME: '/xdg' }, '/home/ann', 'linux', '/flag')).toBe('/flag');
  });

  test('is WATS_DIR without a flag', () => {
    expect(dataDir({ WATS_DIR: '/env', XDG_DATA_HOME: '/xdg' }, '/home/ann', 'darwin', undefined)).toBe(
      '/env',
    );
  });

  test('follows XDG on Linux, but not a relative path, which the specification calls invalid', () => {
    expect(dataDir({ XDG_DATA_HOME: '/xdg' }, '/home/ann', 'linux', undefined)).toBe('/xdg/wats');
    expect(dataDir({ XDG_DATA_HOME: 'xdg' }, '/home/ann', 'linux', undefined)).toBe(
      '/home/ann/.local/share/wats',
    );
    expect(dataDir({}, '/home/ann', 'linux', undefined)).toBe('/home/ann/.local/share/wats');
  });

  test('is in Application Support on macOS', () => {
    expect(dataDir({ XDG_DATA_HOME: '/xdg' }, '/Users/ann', 'darwin', undefined)).toBe(
      '/Users/ann/Library/Application Support/wats',
    );
  });

  test('is not an empty variable or flag', () => {
    expect(dataDir({ WATS_DIR: '' }, '/home/ann', 'linux', '')).toBe('/home/ann/.local/share/wats');
  });
});

describe('the path of a socket', () => {
  const linux = { platform: 'linux', runtimeDir: '/run/user/1000', uid: 1000 } as const;
  const mac = { platform: 'darwin', runtimeDir: '/tmp', uid: 501 } as const;
  /** A directory whose `mcp.sock` has a path of exactly so many bytes. */
  const dirFor = (bytes: number) => `/${'d'.repeat(bytes - 1 - '/mcp.sock'.length)}`;

  test('is inside the data directory up to the last byte that the platform takes', () => {
    expect(socketPath(dirFor(107), 'mcp.sock', linux)).toBe(`${dirFor(107)}/mcp.sock`);
    expect(socketPath(dirFor(103), 'mcp.sock', mac)).toBe(`${dirFor(103)}/mcp.sock`);
  });

  test('is in the folder of the runtime directory one byte later, and short enough', () => {
    const onLinux = socketPath(dirFor(108), 'mcp.sock', linux);
    expect(dirname(onLinux)).toBe('/run/user/1000/wats-1000');
    expect(onLinux.endsWith('-mcp.sock')).toBe(true);
    const onMac = socketPath(dirFor(104), 'mcp.sock', mac);
    expect(dirname(onMac)).toBe('/tmp/wats-501');
    expect(Buffer.byteLength(onMac)).toBeLessThanOrEqual(103);
  });

  test('counts bytes, not characters', () => {
    const dir = `/${'é'.repeat(50)}`;
    expect(`${dir}/mcp.sock`.length).toBeLessThan(107);
    expect(dirname(socketPath(dir, 'mcp.sock', linux))).toBe('/run/user/1000/wats-1000');
  });

  test('differs for two directories and for two names, and is the same every time', () => {
    const paths = [
      socketPath(dirFor(120), 'mcp.sock', linux),
      socketPath(dirFor(121), 'mcp.sock', linux),
      socketPath(dirFor(120), 'control.sock', linux),
    ];
    expect(new Set(paths).size).toBe(3);
    expect(socketPath(dirFor(120), 'mcp.sock', linux)).toBe(paths[0]);
  });

  test('falls back to /tmp where even the runtime directory is too deep', () => {
    const deep = { ...linux, runtimeDir: `/${'r'.repeat(100)}` };
    expect(dirname(socketPath(dirFor(120), 'mcp.sock', deep))).toBe('/tmp/wats-1000');
  });
});

test('the runtime directory is XDG_RUNTIME_DIR when that is absolute, and never TMPDIR', () => {
  expect(runtimeDirOf({ XDG_RUNTIME_DIR: '/run/user/7/' })).toBe('/run/user/7');
  expect(runtimeDirOf({ XDG_RUNTIME_DIR: 'run' })).toBe('/tmp');
  expect(runtimeDirOf({ TMPDIR: '/elsewhere' } as object)).toBe('/tmp');
});

test.each([
  ['linux', 0x6969, 'NFS'],
  ['linux', 0xff534d42, 'CIFS'],
  ['linux', -11317950, 'CIFS'],
  ['linux', 0xfe534d42, 'SMB'],
  ['linux', 0xef53, null],
  ['linux', 0x01021994, null],
  ['linux', 0x9123683e, null],
  ['darwin', 0x6969, null],
] as const)('on %s a file system of type %d is %s', (platform, type, name) => {
  expect(networkFileSystem(platform, type)).toBe(name);
});
