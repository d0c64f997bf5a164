import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { gatewayAddress, isReach, saveSettings } from '../../src/config/index.ts';

/** Address, what it is without and with agent.openclaw_insecure_ok: how clear the token goes, or no. */
const TABLE: readonly (readonly [string, string, string])[] = [
  // Loopback
  ['http://127.0.0.1:18789', 'loopback', 'loopback'],
  ['http://127.0.0.1', 'loopback', 'loopback'],
  ['http://127.0.0.1:18789/', 'loopback', 'loopback'],
  ['http://127.255.3.4:1', 'loopback', 'loopback'],
  ['http://localhost:18789', 'loopback', 'loopback'],
  ['HTTP://LocalHost:18789', 'loopback', 'loopback'],
  ['http://[::1]:18789', 'loopback', 'loopback'],
  ['http://[0:0:0:0:0:0:0:1]:18789', 'loopback', 'loopback'],
  // The same, written so that programs differ about it
  ['http://2130706433:18789', 'no', 'no'],
  ['http://0x7f000001:18789', 'no', 'no'],
  ['http://0x7f.0.0.1', 'no', 'no'],
  ['http://0177.0.0.1', 'no', 'no'],
  ['http://127.1', 'no', 'no'],
  ['http://127.0.0.1.', 'no', 'no'],
  ['http://localhost.', 'no', 'no'],
  ['http://%31%32%37.0.0.1', 'no', 'no'],
  ['http://１２７.0.0.1', 'no', 'no'],
  ['http://[::ffff:127.0.0.1]:18789', 'no', 'no'],
  ['http://[::ffff:7f00:1]:18789', 'no', 'no'],
  ['http://[::127.0.0.1]:18789', 'no', 'no'],
  ['http://[::1%25lo]:18789', 'no', 'no'],
  ['http://[fe80::1%25eth0]:18789', 'no', 'no'],
  ['http://[fe80::1%eth0]:18789', 'no', 'no'],
  ['http://0', 'no', 'no'],
  ['http://0.0.0.0:18789', 'no', 'no'],
  ['http://[::]:18789', 'no', 'no'],
  // Private networks
  ['http://10.0.0.5:18789', 'no', 'private'],
  ['http://172.16.0.1', 'no', 'private'],
  ['http://172.31.255.255', 'no', 'private'],
  ['http://192.168.1.20', 'no', 'private'],
  ['http://169.254.10.1', 'no', 'private'],
  ['http://[fd00::5]:18789', 'no', 'private'],
  ['http://[fe80::1]:18789', 'no', 'private'],
  ['http://openclaw:18789', 'no', 'private'],
  ['http://[::ffff:10.0.0.5]:18789', 'no', 'no'],
  ['http://10.5', 'no', 'no'],
  // The world
  ['http://172.32.0.1', 'no', 'no'],
  ['http://11.0.0.1', 'no', 'no'],
  ['http://128.0.0.1', 'no', 'no'],
  ['http://203.0.113.7:18789', 'no', 'no'],
  ['http://[2001:db8::1]:18789', 'no', 'no'],
  ['http://gateway.example:18789', 'no', 'no'],
  ['http://openclaw.local', 'no', 'no'],
  ['http://localhost.example', 'no', 'no'],
  ['http://127.0.0.1.example', 'no', 'no'],
  ['https://gateway.example', 'encrypted', 'encrypted'],
  ['https://203.0.113.7:8443', 'encrypted', 'encrypted'],
  ['https://127.0.0.1:18789', 'encrypted', 'encrypted'],
  ['https://0177.0.0.1', 'no', 'no'],
  // What is no address of a gateway
  ['http://127.0.0.1@evil.example', 'no', 'no'],
  ['http://user:secret@127.0.0.1', 'no', 'no'],
  ['http://@127.0.0.1', 'no', 'no'],
  ['http://127.0.0.1\\@evil.example', 'no', 'no'],
  ['http:\\\\127.0.0.1', 'no', 'no'],
  ['http://127.0.0.1 .evil.example', 'no', 'no'],
  ['http://127.0.0.1?token=x', 'no', 'no'],
  ['http://127.0.0.1#x', 'no', 'no'],
  ['http://127.0.0.1:0', 'no', 'no'],
  ['http://127.0.0.1:65536', 'no', 'no'],
  ['http://127.0.0.1:port', 'no', 'no'],
  ['http://', 'no', 'no'],
  ['127.0.0.1:18789', 'no', 'no'],
  ['ftp://127.0.0.1', 'no', 'no'],
  ['file:///etc/passwd', 'no', 'no'],
  ['', 'no', 'no'],
];

test.each(TABLE)(
  '%s is %s, and %s where plain http to a private network is allowed',
  (text, alone, allowed) => {
    const of = (insecureOk: boolean): string => {
      const verdict = gatewayAddress(text, insecureOk);
      return verdict.ok ? verdict.address.clear : 'no';
    };
    expect([of(false), of(true)]).toEqual([alone, allowed]);
  },
);

test('the hooks are under /hooks unless the address names another path', () => {
  const paths = [
    'http://127.0.0.1:1',
    'http://127.0.0.1:1/',
    'http://127.0.0.1:1/gw/hooks',
    'http://127.0.0.1:1/x//',
  ];
  expect(
    paths.map((text) => {
      const verdict = gatewayAddress(text, false);
      return verdict.ok ? [verdict.address.origin, verdict.address.hooksPath] : null;
    }),
  ).toEqual([
    ['http://127.0.0.1:1', '/hooks'],
    ['http://127.0.0.1:1', '/hooks'],
    ['http://127.0.0.1:1', '/gw/hooks'],
    ['http://127.0.0.1:1', '/x'],
  ]);
});

test('a refusal says why and what to write instead', () => {
  expect(gatewayAddress('http://gateway.example', true)).toEqual({
    ok: false,
    why: 'plain http to gateway.example would send the hook token in clear',
    fix: 'Use https, or a gateway on this machine: http://127.0.0.1:18789.',
  });
  expect(gatewayAddress('http://openclaw:18789', false)).toMatchObject({
    fix: expect.stringContaining('agent.openclaw_insecure_ok = true'),
  });
});

test('a name that leads out of its reach is not connected to', () => {
  expect(
    ['127.0.0.1', '::1', '10.1.2.3', 'fd00::1', '203.0.113.7', '2001:db8::1', '::ffff:203.0.113.7'].map(
      (ip) => isReach(ip, 'loopback'),
    ),
  ).toEqual([true, true, false, false, false, false, false]);
  expect(
    ['127.0.0.1', '10.1.2.3', 'fd00::1', '203.0.113.7', '2001:db8::1'].map((ip) => isReach(ip, 'private')),
  ).toEqual([true, true, true, false, false]);
});

test('settings hold the address and its permission together, whichever of the two changes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'wats-config-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const path = join(dir, 'config.toml');
  const around = {
    user: 'ada',
    home: dir,
    cwd: dir,
    suggest: () => undefined,
    dataDir: dir,
    realPath: (name: string) => name,
  };
  const set = (key: string, text: string | null) => saveSettings(path, [{ key, text }], around);
  expect(() => set('agent.openclaw_url', 'http://openclaw:18789')).toThrow(
    /would send the hook token in clear/,
  );
  set('agent.openclaw_insecure_ok', 'true');
  set('agent.openclaw_url', 'http://openclaw:18789');
  expect(() => set('agent.openclaw_insecure_ok', null)).toThrow(/would send the hook token in clear/);
  expect(() => set('agent.openclaw_url', 'http://gateway.example')).toThrow(
    /would send the hook token in clear/,
  );
  set('agent.openclaw_url', 'https://gateway.example');
  set('agent.openclaw_insecure_ok', null);
});
