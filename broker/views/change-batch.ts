import type { Lsn } from '../../awareness/index.ts';
import type { FilteredSnapshot } from '../../store/index.ts';
import { type ViewChange, viewChange } from './view-changes.ts';

/**
 * How far somebody has been told a view's log. What does not fit one message is told in several; until the last of
 * them is, an object is new by what was known before the first: it may have been refreshed since, and stand further on
 * in the log than its change.
 */
export interface LogPlace {
  readonly epoch: string;
  /** The log up to here has been told. */
  readonly lsn: Lsn;
  /** Everything up to here was known before this telling began; the same as `lsn` when none is under way. */
  readonly known: Lsn;
  /** Everything is being told, not only what changed: the last deletion that was forgotten when that began. */
  readonly everythingFrom?: Lsn;
}

/** What is told at once, and where that leaves who is told. */
export interface ChangeBatch {
  readonly changes: readonly ViewChange[];
  /** Whether this is all that changed since the place; else it is a part of everything, without older deletions. */
  readonly isComplete: boolean;
  /** Everything is told from its beginning: what was told of it before does not count. */
  readonly isFull: boolean;
  /** Others follow. */
  readonly more: boolean;
  readonly place: LogPlace;
}

/** What to tell next, at most so many changes, to somebody who was told up to `place`; everything without one. */
export async function nextChanges(
  snapshot: Pick<FilteredSnapshot, 'state' | 'events'>,
  place: LogPlace | undefined,
  max: number,
): Promise<ChangeBatch> {
  const { epoch, lsn, horizon } = snapshot.state;
  // What was deleted behind the place must still be remembered, all of it or as much as when everything was begun.
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
