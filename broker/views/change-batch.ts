import type { Lsn } from '../../awareness/index.ts';
import type { FilteredSnapshot } from '../../store/index.ts';
import { type ViewChange, viewChange } from './view-changes.ts';

/**
 * A reader's progress in a view's log. Until the last of several batches, an object is new relative to the
 * state before the first, because a refresh may since have moved it further in the log than its change.
 */
export interface LogPlace {
  readonly epoch: string;
  /** The log up to here has been sent. */
  readonly lsn: Lsn;
  /** The client's state before this series of batches began; the same as `lsn` between series. */
  readonly known: Lsn;
  /** Set while everything is sent, not only changes: the last dropped tombstone when that began. */
  readonly everythingFrom?: Lsn;
}

/** One batch of changes, and the progress after it. */
export interface ChangeBatch {
  readonly changes: readonly ViewChange[];
  /** Whether this lists all changes since the place; else a part of everything, without old deletions. */
  readonly isComplete: boolean;
  /** Everything is sent from its beginning, and replaces earlier batches. */
  readonly isFull: boolean;
  readonly more: boolean;
  readonly place: LogPlace;
}

/** The next changes for a reader at `place`, at most `max`; everything without a place. */
export async function nextChanges(
  snapshot: Pick<FilteredSnapshot, 'state' | 'events'>,
  place: LogPlace | undefined,
  max: number,
): Promise<ChangeBatch> {
  const { epoch, lsn, horizon } = snapshot.state;
  // The deletions after the place must still be in the log, all of them or as many as when everything was
  // started.
  const isKnown =
    place?.epoch === epoch &&
    place.lsn <= lsn &&
    horizon <= Math.max(place.lsn, place.everythingFrom ?? place.lsn);
  const from: LogPlace = isKnown ? place : { epoch, lsn: 0, known: 0, everythingFrom: horizon };
  const changes: ViewChange[] = [];
  let more = false;
  for await (const event of snapshot.events({ known: from.known, after: from.lsn })) {
    if (changes.length === max) {
      more = true;
      break;
    }
    changes.push(viewChange(event));
  }
  const last = changes.at(-1)?.lsn ?? from.lsn;
  return {
    changes,
    isComplete: from.everythingFrom === undefined,
    isFull: !isKnown,
    more,
    place: more ? { ...from, lsn: last } : { epoch, lsn, known: lsn },
  };
}
