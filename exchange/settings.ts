import type { Setting } from '../kernel/index.ts';

/** Size of one message: small enough to stall in, large enough to compress well. */
export const messageBytes = 64 * 1024;

/** How long one answer may hold a snapshot of the store; the client then continues from its marker. */
export const maxSnapshotMs = 15 * 60 * 1000;

export const maxGet = 512;

export const exchangeSettings: readonly Setting[] = [
  {
    key: 'exchange.delete-guard',
    kind: 'count',
    default: 20,
    min: 0,
    max: 100,
    describe: 'Percent of a source that may vanish in one round before each loss is confirmed one by one',
  },
  {
    key: 'exchange.silence',
    kind: 'duration',
    default: 60,
    describe:
      'Max silence of a source in the middle of a round before it is abandoned and tried again; 0 is no limit',
  },
];
