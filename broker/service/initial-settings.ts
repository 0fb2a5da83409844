import { defaultTombstoneSeconds, defaultTtlSeconds, storeSettings } from '../../store/index.ts';
import { brokerSettings } from '../settings.ts';
import type { BrokerOptions } from './broker-options.ts';
import type { LiveBase, LiveValue } from './live-settings.ts';

/** What a Broker was opened with, of the settings that can be changed while it serves. */
export function liveBase(options: BrokerOptions): readonly LiveBase[] {
  const values: Readonly<Record<string, LiveValue>> = {
    'broker.interval': options.intervalSeconds,
    'broker.grace': options.graceSeconds,
    'broker.time-to-live': options.timeToLiveSeconds ?? defaultTtlSeconds,
    'broker.cleaning': options.cleaningSeconds ?? 60,
    'store.tombstones': options.tombstoneSeconds ?? defaultTombstoneSeconds,
    'broker.log-level': options.logLevel ?? 'info',
    'broker.log-events': options.logEvents ?? [],
  };
  return [...brokerSettings, ...storeSettings].flatMap((setting) => {
    const value = values[setting.key];
    const from = options.settingFrom?.(setting.key) ?? 'default';
    return value === undefined ? [] : [{ setting, value, from }];
  });
}
