import type { Epoch, Replica, Want } from '../awareness/index.ts';
import type { Clock } from '../kernel/index.ts';
import type { Oid } from '../soif/index.ts';
import type { Session } from '../wire/index.ts';
import type { FilterSpec } from './filter.ts';
import type { Keyring } from './keyring.ts';

/** What one round of collecting needs and may be told. */
export interface CollectOptions {
  readonly session: Session;
  readonly replica: Replica;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** The source's name in reports. */
  readonly name: string;
  /** Insist on a scheme instead of letting the source choose. */
  readonly scheme?: string;
  /** Elements in which the copy is expected to differ, where that is known. */
  readonly differences?: number;
  /** Whole objects unless told otherwise. */
  readonly want?: Want;
  /** Everything unless told otherwise. */
  readonly filter?: FilterSpec;
  /** Where a comparison of everything that was cut may go on; kept by the caller from one attempt to the next. */
  readonly resume?: Resume;
  /** Part of what is held (0 to 1) that may vanish in a round before each loss is confirmed. */
  readonly deleteGuard: number;
  readonly signal?: AbortSignal;
}

/** How far a comparison of everything has come. */
export interface Resume {
  place?: { readonly scheme: string; readonly epoch: Epoch; readonly after: Oid } | undefined;
}
