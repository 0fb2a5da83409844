import { statfs } from 'node:fs/promises';
import type { Keyring } from '../../exchange/index.ts';
import type { Oid } from '../../soif/index.ts';
import {
  type Database,
  defaultTombstoneSeconds,
  defaultTtlSeconds,
  storeSettings,
} from '../../store/index.ts';
import {
  BlockList,
  noQuotas,
  type ProvedObjects,
  provedObjects,
  Quotas,
  SourceBook,
} from '../collecting/index.ts';
import { brokerSettings } from '../settings.ts';
import type { BrokerOptions } from './broker-options.ts';
import { type LiveBase, LiveSettings, type LiveValue } from './live-settings.ts';

/** An operator's orders while the Broker served, and what is kept out meanwhile. They outlive a restart. */
export interface BrokerOrders {
  readonly sources: SourceBook;
  readonly settings: LiveSettings;
  readonly blocks: BlockList;
  /** Objects kept out until their sites name their Gatherers; absent where no proof is required. */
  readonly proved: ProvedObjects | undefined;
  readonly quotas: Quotas;
}

/** Read the orders from the table's database; `remove` completes deletions that a crash cut short. */
export async function openOrders(
  options: BrokerOptions,
  { database, keyring }: { readonly database: Database; readonly keyring: Keyring },
  remove: (oids: readonly Oid[]) => Promise<void>,
): Promise<BrokerOrders> {
  return {
    sources: await SourceBook.open(database),
    settings: await LiveSettings.open(database, liveBase(options)),
    blocks: await BlockList.open(database, options.folder.store, remove),
    proved: await provedObjects(options, database, keyring),
    quotas: quotasFor(options),
  };
}

function quotasFor({ folder, quotas: limits = noQuotas, freeBytes, maxTimeToLiveSeconds }: BrokerOptions) {
  const { store, path } = folder;
  if (maxTimeToLiveSeconds) store.maxTtlSeconds = maxTimeToLiveSeconds;
  const onDisk = async () => {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  };
  return new Quotas({ limits, store, freeBytes: freeBytes ?? onDisk });
}

/** The initial values of the settings that can be changed while it serves. */
function liveBase(options: BrokerOptions): readonly LiveBase[] {
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
