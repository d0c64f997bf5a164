import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Where an OpenClaw gateway is, once its address was found to be one that a token may be sent to. */
export interface GatewayAddress {
  /** Without a trailing slash: `http://127.0.0.1:18789`. */
  readonly origin: string;
  /** The path that its hooks are under: `/hooks` unless the address names another. */
  readonly hooksPath: string;
  readonly host: string;
  /** How far the token goes in clear: not at all, to this machine, to a private network. */
  readonly clear: 'encrypted' | 'loopback' | 'private';
}

export type AddressVerdict =
  | { readonly ok: true; readonly address: GatewayAddress }
  | { readonly ok: false; readonly why: string; readonly fix: string };

const LOOPBACK = blocks([
  ['127.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
]);
const PRIVATE = blocks([
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
]);

/**
 * Whether wats forwards wakes to this address: the settings `agent.openclaw_url` and `agent.openclaw_insecure_ok`
 * together. Https may go anywhere; plain http to loopback, and with `insecureOk` to a private address or a name
 * without a dot. Names are not resolved here. A notation that programs read differently (0177.0.0.1, 2130706433,
 * ::ffff:127.0.0.1, a trailing dot) is refused rather than guessed at.
 */
export function gatewayAddress(text: string, insecureOk: boolean): AddressVerdict {
  const parts = /^(https?):\/\/([^/?#]*)([^?#]*)(.*)$/i.exec(text);
  if (parts === null || /[\s\\\u0000-\u0020\u007f]/.test(text) || !URL.canParse(text))
    return no('it is no http or https address', 'Write an address like "http://127.0.0.1:18789".');
  const [, , authority = '', path = '', rest = ''] = parts;
  const url = new URL(text);
  if (authority.includes('@'))
    return no('it holds a name or a password', 'Take them away: the hook token is the only credential.');
  if (rest !== '') return no('it goes on after the path', 'Take away what stands after "?" or "#".');
  if (url.port === '0') return no('port 0 is nowhere', 'Write the port of the gateway, like ":18789".');

  const written = authority.replace(/:\d*$/, '').toLowerCase();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const odd = oddity(written, url.hostname);
  if (odd !== null) return odd;
  const plain = url.protocol === 'http:';
  const clear = plain ? reach(host) : 'encrypted';
  if (clear === 'public' || (clear === 'private' && !insecureOk)) return tooFar(host, clear);
  const hooksPath = path.replace(/\/+$/, '') || '/hooks';
  return { ok: true, address: { origin: url.origin, hooksPath, host, clear } };
}

/** Whether a plain-http connection may be made to this address: what a name turned out to be. */
export function isReach(ip: string, clear: 'loopback' | 'private'): boolean {
  const family = isIPv6(ip) ? 'ipv6' : 'ipv4';
  return LOOPBACK.check(ip, family) || (clear === 'private' && PRIVATE.check(ip, family));
}

/** An address is taken as it is written, or not at all: a parser that reads it otherwise would lead elsewhere. */
function oddity(written: string, hostname: string): Extract<AddressVerdict, { ok: false }> | null {
  if (written.endsWith('.'))
    return no(`${written} ends with a dot`, `Write ${written.replace(/\.+$/, '')} without it.`);
  if (isIPv4(hostname) && written !== hostname)
    return no(`${written} is an unusual way to write ${hostname}`, `Write ${hostname} if you mean that.`);
  if (
    hostname.startsWith('[') &&
    /^\[(::ffff:|::[0-9a-f]+(:[0-9a-f]+)?\]$)/.test(hostname) &&
    hostname !== '[::1]'
  )
    return no(`${written} is an IPv4 address inside an IPv6 one`, 'Write the IPv4 address itself.');
  return null;
}

function reach(host: string): 'loopback' | 'private' | 'public' {
  if (host === 'localhost') return 'loopback';
  if (isIPv4(host) || isIPv6(host))
    return isReach(host, 'loopback') ? 'loopback' : isReach(host, 'private') ? 'private' : 'public';
  return host.includes('.') ? 'public' : 'private';
}

function tooFar(host: string, clear: 'private' | 'public'): Extract<AddressVerdict, { ok: false }> {
  const why = `plain http to ${host} would send the hook token in clear`;
  return clear === 'private'
    ? no(
        why,
        'Use https, or set agent.openclaw_insecure_ok = true if that network is yours alone (Docker Compose).',
      )
    : no(why, 'Use https, or a gateway on this machine: http://127.0.0.1:18789.');
}

function no(why: string, fix: string): Extract<AddressVerdict, { ok: false }> {
  return { ok: false, why, fix };
}

function blocks(ranges: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix, family] of ranges) list.addSubnet(net, prefix, family);
  return list;
}
