import { lookup as systemLookup } from 'node:dns';
import { connect, isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from '../../fetch/index.ts';

const ports: Readonly<Record<string, number>> = { http: 80, https: 443, ftp: 21, gopher: 70 };

/** Max probes at a time; further origins do not join the race. */
const maxProbes = 256;

/**
 * The origin in the race with peers, by a connection that is opened and closed (Harvest used the echo port).
 * A private address needs the operator's naming. Rejects at a failure or an abort.
 */
export function originProbe(
  allowed: (host: string, port: number) => boolean,
  lookup: LookupFunction = systemLookup,
): (url: string, signal: AbortSignal) => Promise<void> {
  let running = 0;
  return async (url, signal) => {
    const found = /^([a-z]+):\/\/(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/.exec(url);
    const host = (found?.[2] ?? '').replace(/^\[|\]$/g, '');
    const port = Number(found?.[3] ?? ports[found?.[1] ?? ''] ?? 0);
    if (host === '' || port < 1 || port > 65_535 || running >= maxProbes) throw new Error('not to be probed');
    const open = allowed(host, port);
    if (!open && isIP(host) !== 0 && !isPublicAddress(host)) throw new Error('a private address');
    running++;
    try {
      await connected(host, port, signal, open ? lookup : publicOnly(lookup));
    } finally {
      running--;
    }
  };
}

function connected(host: string, port: number, signal: AbortSignal, lookup: LookupFunction): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal, lookup });
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** A look-up that refuses names with a private address. */
const publicOnly =
  (lookup: LookupFunction): LookupFunction =>
  (host, options, callback) =>
    lookup(host, { ...options, all: true }, (error, answer) => {
      const all = Array.isArray(answer) ? answer : [{ address: answer, family: isIP(answer) }];
      const first = all[0];
      const refused =
        error ?? (all.every(({ address }) => isPublicAddress(address)) ? null : new Error('private'));
      if (refused || !first) callback(refused ?? new Error('no address'), '');
      else if (options.all) callback(null, all);
      else callback(null, first.address, first.family);
    });
