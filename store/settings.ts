import type { Setting } from '../kernel/index.ts';

/** For objects without a Time-to-Live: one month, as the original Gatherer's default. */
export const defaultTtlSeconds = 30 * 24 * 3600;

/** How long tombstones are stored by default: 90 days. */
export const defaultTombstoneSeconds = 90 * 24 * 3600;

export const storeSettings: readonly Setting[] = [
  {
    key: 'store.tombstones',
    kind: 'duration',
    default: defaultTombstoneSeconds,
    describe:
      'How long a store remembers that an object was deleted; clients away for longer compare everything',
  },
  {
    key: 'store.cache',
    kind: 'size',
    default: 16 * 1024 * 1024,
    describe: 'Memory for recently read blocks of a database',
  },
];
