import { brokerErrors, sourceAddress } from '../broker/index.ts';
import { Credentials } from '../fetch/index.ts';
import { judgeConfig } from '../gatherer/index.ts';
import { failure, GarnerError } from '../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { nearest } from './did-you-mean.ts';
import { cliErrors } from './errors.ts';
import type { Mistakes } from './mistakes.ts';
import { checkSourceFilters } from './source-filters.ts';
import { serverTokens } from './tokens.ts';

/** How many names are looked up among those that exist. */
const mostAsked = 1000;

/** Judge what the kind of a setting cannot: addresses, tokens, and the tables of rules and roots. Notes what is wrong. */
export async function checkConfig(config: EffectiveConfig, mistakes: Mistakes): Promise<void> {
  checkSources(config, mistakes);
  checkSourceFilters(config, mistakes);
  // One that was refused already would be missed as if none were set.
  if (!mistakes.concerns(['http.', 'wire.'])) mistakes.attempt(() => serverTokens(config));
  checkCredentials(config, mistakes);
  const placeOf = (key: string) => config.placeOf(key, []) ?? config.origin(key.replace(/\[.*$/, ''));
  let asked = 0;
  await judgeConfig(config, {
    fault: (key, error) => mistakes.note(error, placeOf(key)),
    doubt: (key, text) => mistakes.warn({ key: key.replace(/\[.*$/, ''), at: placeOf(key), text }),
    // Quadratic in the names' lengths, and nobody reads so many.
    nearest: (typed, known) => (++asked > mostAsked ? undefined : nearest(typed, known)),
  });
}

function checkSources(config: EffectiveConfig, mistakes: Mistakes): void {
  for (const text of config.list('broker.collect')) {
    try {
      sourceAddress(text);
      // `http//a` and `ws:/a` are slips, though one can read a host and a path in them.
      if (!/^[a-z]+:\/\/|^[^/]+(?:\/(?!\/)|$)/i.test(text) || /^[a-z]+:\/(?!\/)/i.test(text))
        throw failure(brokerErrors.BROKER_SOURCE, { source: text });
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      mistakes.note(
        failure(
          cliErrors.CLI_BAD_SETTING,
          {
            key: 'broker.collect',
            at: config.origin('broker.collect'),
            problem: `holds ${JSON.stringify(text.slice(0, 200))}, which is no address to collect from`,
            cure: 'write an address such as ws://127.0.0.1:8500 or wss://www.example.org/garner/wire',
          },
          error,
        ),
      );
    }
  }
}

/** The shape alone: variables that hold secrets are looked at where they are used. */
function checkCredentials(config: EffectiveConfig, mistakes: Mistakes): void {
  const anyVariable = new Proxy({}, { get: () => 'set' }) as Readonly<Record<string, string>>;
  for (const [at, record] of config.records('fetch.credentials').entries()) {
    // The entries before it are holes, so that an error names the right one.
    const alone: unknown[] = [];
    alone[at] = record;
    try {
      Credentials.parse(alone, anyVariable);
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      mistakes.note(error, config.placeOf(`fetch.credentials[${at}]`, []));
    }
  }
}
