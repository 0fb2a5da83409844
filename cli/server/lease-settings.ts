import { failure } from '../../kernel/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';

const maxLeaseSeconds = 30 * 86_400;

interface Lease {
  readonly refreshSeconds: number;
  readonly ttlSeconds: number;
}

/** How often a server renews its lease, and how long that lasts. Throws CLI_BAD_SETTING. */
export function leaseOf(config: EffectiveConfig): Lease {
  const seconds = (key: string, max: number, problem: string, cure: string) => {
    const value = config.seconds(key);
    if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
    throw failure(cliErrors.CLI_BAD_SETTING, { key, at: config.origin(key), problem, cure });
  };
  const ttlSeconds = seconds(
    'server.lease',
    maxLeaseSeconds,
    'is not a time in whole seconds from 1 second to 30 days',
    'write it as 5m or 2h',
  );
  const refreshSeconds = seconds(
    'server.renewal',
    ttlSeconds - 1,
    'is not a time in whole seconds from 1 second up, and shorter than server.lease',
    'write it as 60s, or make server.lease longer',
  );
  return { refreshSeconds, ttlSeconds };
}
