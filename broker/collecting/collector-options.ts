import type { Replica } from '../../awareness/index.ts';
import type { FilterSpec, RoundReport } from '../../exchange/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { Identity, ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { WireLimits } from '../../wire/index.ts';
import type { ObjectTable } from './object-table.ts';
import type { RoundNote } from './round-history.ts';
import type { SourceAddress } from './source-address.ts';

export interface CollectorOptions {
  readonly sources: readonly SourceAddress[];
  readonly store: ObjectStore;
  readonly table: ObjectTable;
  readonly identity: Identity;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Longest time between two rounds of a source that has none of its own. */
  readonly intervalSeconds: () => number;
  /** Keeps out of a source's copy what was deleted by hand. */
  readonly guard: (replica: Replica) => Replica;
  /** Longest silence of a source in the middle of a round; 0 is no limit. */
  readonly silenceSeconds: number;
  /** Part of a source (0 to 1) that may vanish at once before each loss is confirmed. */
  readonly deleteGuard: number;
  /** Shown to a source that has none of its own. */
  readonly token?: string;
  /** Insist on this scheme with every source instead of letting it choose. */
  readonly scheme?: string;
  /** Bounds of the sessions. */
  readonly wire?: Partial<WireLimits>;
}

/** How a source stands; `waiting` for one that is never connected to, while it is away; `paused` by the operator. */
export type SourceState = 'ok' | 'connecting' | 'waiting' | 'down' | 'paused';

export interface SourceStatus {
  readonly url: string;
  /** Unknown until the first connection. */
  readonly serverId: ServerId | null;
  readonly name: string;
  readonly state: SourceState;
  readonly lastLearnedAt: number | null;
  readonly error: string | null;
  readonly lastRound: RoundReport | null;
  /** The last round that learned or forgot something. */
  readonly lastChange: RoundReport | null;
  /** Which of its objects are wanted. */
  readonly filter: FilterSpec | null;
  /** Longest time between two rounds. */
  readonly intervalSeconds: number;
  /** Where it stands among the settings; null for one that was added while serving. */
  readonly from: string | null;
  /** The last rounds since this Broker was opened, oldest first. */
  readonly rounds: readonly RoundNote[];
}
