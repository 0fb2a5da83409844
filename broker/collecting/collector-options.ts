import type { Replica } from '../../awareness/index.ts';
import type { FilterSpec, Keyring, RoundReport } from '../../exchange/index.ts';
import type { Clock, Random } from '../../kernel/index.ts';
import type { Identity, ServerId } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { WireLimits } from '../../wire/index.ts';
import type { ObjectTable } from './object-table.ts';
import type { Quotas } from './quotas.ts';
import type { RoundNote } from './round-history.ts';
import type { SourceAddress } from './source-address.ts';

export interface CollectorOptions {
  readonly sources: readonly SourceAddress[];
  readonly store: ObjectStore;
  readonly table: ObjectTable;
  /** The keys of publishers. */
  readonly keyring: () => Keyring;
  readonly identity: Identity;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Max time between two rounds with a source that has no interval of its own. */
  readonly intervalSeconds: () => number;
  /** Keeps objects deleted by hand out of a source's copy. */
  readonly guard: (replica: Replica, source: ServerId) => Replica;
  /** The room for a source's objects; for everything when absent. */
  readonly quotas?: Quotas;
  /** Why objects of a source are kept out, if some are. */
  readonly trouble?: (source: ServerId) => Error | undefined;
  /** Max silence of a source in the middle of a round; 0 is no limit. */
  readonly silenceSeconds: number;
  /** Part of a source's objects (0 to 1) that a round may delete before each deletion is confirmed. */
  readonly deleteGuard: number;
  /** Sent to a source that has no token of its own. */
  readonly token?: string;
  /** Force this scheme with every source instead of letting it choose. */
  readonly scheme?: string;
  readonly wire?: Partial<WireLimits>;
}

/** What the owner of a Broker adds to the collecting from its sources. */
export interface CollectingRules {
  /** The keys of publishers, in the place of those of the Broker's table alone. */
  readonly keyring: Keyring;
  /** A source's copy that keeps out what is not wanted. */
  readonly guard: (replica: Replica) => Replica;
}

/**
 * The state of a source. `waiting`: it pushes and is not connected. `paused`: the operator paused it. `full`: it has more
 * objects than its quota. `no room`: collecting waits for free disk space.
 */
export type SourceState = 'ok' | 'full' | 'no room' | 'connecting' | 'waiting' | 'down' | 'paused';

export interface SourceStatus {
  readonly url: string;
  /** Unknown until the first connection. */
  readonly serverId: ServerId | null;
  readonly name: string;
  /** Its role, for example `gatherer` or `broker`; null until the first connection. */
  readonly role: string | null;
  readonly state: SourceState;
  readonly lastLearnedAt: number | null;
  readonly error: string | null;
  readonly lastRound: RoundReport | null;
  /** The last round that changed something. */
  readonly lastChange: RoundReport | null;
  readonly filter: FilterSpec | null;
  /** Max time between two rounds. */
  readonly intervalSeconds: number;
  /** The place where it is set; null for a source that was added while serving. */
  readonly from: string | null;
  /** The last rounds since this Broker was opened, oldest first. */
  readonly rounds: readonly RoundNote[];
}
