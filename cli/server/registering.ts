import type { Keyring } from '../../exchange/index.ts';
import { HttpClient, userAgent } from '../../fetch/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { type DescribedAttribute, KeyWatch, Registration, type ServerType } from '../../registry/index.ts';
import type { Identity } from '../../soif/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { version } from '../config/version.ts';
import { leaseOf } from './lease-settings.ts';

/** What a kind of server says of itself. */
export interface Registered {
  readonly type: ServerType;
  /** Number of objects that it offers now. */
  readonly objects: () => number;
  /** What costs work to count; asked once a renewal. */
  readonly attributes: () => Promise<readonly DescribedAttribute[]>;
  /** What costs nothing, such as its links to other servers; asked whenever a description is sent. */
  readonly links: () => readonly DescribedAttribute[];
  /** Calls back when others should see a change soon, until the returned function is called. */
  readonly onChange?: (changed: () => void) => () => void;
  /** Follows the changes of keys that the Registries list. */
  readonly keyring?: Pick<Keyring, 'succeed'>;
  /** Ends what counts. */
  readonly close?: () => Promise<void>;
}

/** A server that registers. */
export interface RegisteringServer extends Registered {
  readonly identity: Identity;
  readonly name: string;
  /** The address it listens on. */
  readonly url: string;
}

const sendMs = 10_000;

/** Keep a server listed at these Registries. Disposing ends that. */
export function registering(
  config: EffectiveConfig,
  registries: readonly string[],
  { type, identity, name, url, objects, links, onChange, ...server }: RegisteringServer,
): AsyncDisposable {
  const lease = leaseOf(config);
  const client = new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: registries, delayMs: 0, retries: 0, totalTimeoutMs: sendMs },
  });
  const attributes = oncePerRenewal(server.attributes, lease.refreshSeconds * 1000, objects);
  const address = config.text('server.public-url') || url;
  const registration = new Registration({
    ...{ identity, registries, fetch: client.fetch, clock: systemClock, random: systemRandom },
    describe: async () => ({
      ...{ type, name, url: URL.parse(address)?.href ?? address, objects: objects() },
      description: config.text('server.description'),
      administrator: config.text('server.administrator'),
      location: config.text('server.location'),
      software: `garner/${version()}`,
      ...lease,
      attributes: [...(await attributes()), ...links()],
    }),
  });
  const { keyring } = server;
  const watching = { registries, fetch: client.fetch, clock: systemClock };
  const everyMs = lease.refreshSeconds * 1000;
  const keys = keyring && new KeyWatch({ ...watching, keyring, everyMs }).start();
  const stop = onChange?.(() => registration.changed());
  return {
    [Symbol.asyncDispose]: async () => {
      stop?.();
      await keys?.[Symbol.asyncDispose]();
      await registration[Symbol.asyncDispose]();
      await server.close?.();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Counts at most once in this time, whatever is sent meanwhile; a server that was empty is counted again. */
function oncePerRenewal(
  count: Registered['attributes'],
  renewalMs: number,
  objects: Registered['objects'],
): Registered['attributes'] {
  let last: { readonly at: number; readonly attributes: ReturnType<Registered['attributes']> } | undefined;
  return async () => {
    const now = systemClock.now();
    // A renewal may be a tenth early, and its timer a little more.
    if (last !== undefined && Math.abs(now - last.at) < renewalMs * 0.85) return last.attributes;
    const attributes = count();
    last = objects() === 0 ? undefined : { at: now, attributes };
    attributes.catch(() => {
      last = undefined;
    });
    return attributes;
  };
}
