import { HttpClient, userAgent } from '../../fetch/index.ts';
import { failure, systemClock, systemRandom } from '../../kernel/index.ts';
import { Registration, type ServerType } from '../../registry/index.ts';
import type { Identity } from '../../soif/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';
import { version } from '../config/version.ts';

/** A server that registers. */
export interface RegisteringServer {
  readonly type: ServerType;
  readonly identity: Identity;
  readonly name: string;
  /** The address it listens on. */
  readonly url: string;
  /** Number of objects that it offers now. */
  readonly objects: () => number;
}

const sendMs = 10_000;

/** The addresses of `server.registry`. Throws CLI_BAD_SETTING. */
export function registriesOf(config: EffectiveConfig): readonly string[] {
  return config.list('server.registry').map((text) => {
    const url = URL.parse(text);
    if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
    throw failure(cliErrors.CLI_BAD_SETTING, {
      ...{ key: 'server.registry', at: config.origin('server.registry') },
      problem: `has ${JSON.stringify(text.slice(0, 200))}, which is not the address of a Registry`,
      cure: 'write it as http://127.0.0.1:8502 or https://registry.example.org',
    });
  });
}

/** Keep a server listed at the Registries of `server.registry`. Disposing ends that. Throws CLI_BAD_SETTING. */
export function registering(
  config: EffectiveConfig,
  { type, identity, name, url, objects }: RegisteringServer,
): AsyncDisposable {
  const registries = registriesOf(config);
  const client = new HttpClient({
    ...{ userAgent: userAgent(version(), ''), clock: systemClock, random: systemRandom },
    ...{ allowHosts: registries, delayMs: 0, retries: 0, totalTimeoutMs: sendMs },
  });
  const address = config.text('server.public-url') || url;
  const registration = new Registration({
    ...{ identity, registries, fetch: client.fetch, clock: systemClock },
    describe: () => ({
      ...{ type, name, url: URL.parse(address)?.href ?? address, objects: objects() },
      description: config.text('server.description'),
      administrator: config.text('server.administrator'),
      location: config.text('server.location'),
      software: `garner/${version()}`,
      refreshSeconds: config.seconds('server.renewal'),
      ttlSeconds: config.seconds('server.lease'),
    }),
  });
  return {
    [Symbol.asyncDispose]: async () => {
      await registration[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}
