import { brokerErrors, sourceAddress } from '../broker/index.ts';
import { failure, GarnerError } from '../kernel/index.ts';
import type { EffectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';
import { serverTokens } from './tokens.ts';

/** Judge what the kind of a setting cannot: addresses and tokens. Throws CLI_BAD_SETTING that names what is wrong. */
export function checkConfig(config: EffectiveConfig): void {
  for (const text of config.list('broker.collect')) {
    try {
      sourceAddress(text);
      // `http//a` and `ws:/a` are slips, though one can read a host and a path in them.
      if (!/^[a-z]+:\/\/|^[^/]+(?:\/(?!\/)|$)/i.test(text) || /^[a-z]+:\/(?!\/)/i.test(text))
        throw failure(brokerErrors.BROKER_SOURCE, { source: text });
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      throw failure(
        cliErrors.CLI_BAD_SETTING,
        {
          key: 'broker.collect',
          at: config.origin('broker.collect'),
          problem: `holds ${JSON.stringify(text.slice(0, 200))}, which is no address to collect from`,
          cure: 'write an address such as ws://127.0.0.1:8500 or wss://www.example.org/garner/wire',
        },
        error,
      );
    }
  }
  serverTokens(config);
}
