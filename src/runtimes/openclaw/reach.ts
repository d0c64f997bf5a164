import { lookup as resolve } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Gateway } from './ports.ts';

const HERE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * How the host of a gateway is looked up. What goes in clear must not leave its reach, whatever a resolver says of a
 * name: `localhost` is never asked about, and of another name only admitted addresses are taken.
 */
export function lookupWithin(gateway: Gateway): LookupFunction | undefined {
  if (gateway.clear === 'encrypted') return undefined;
  return (hostname, options, done) => {
    if (hostname.toLowerCase() === 'localhost')
      return options.all ? done(null, HERE) : done(null, '127.0.0.1', 4);
    resolve(hostname, { all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0);
      const near = found.filter(({ address }) => gateway.reaches(address));
      const [first] = near;
      if (first === undefined) return done(outside(hostname), '', 0);
      return options.all ? done(null, near) : done(null, first.address, first.family);
    });
  };
}

function outside(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} leads out of the private network`), { code: 'EOUTSIDE' });
}
