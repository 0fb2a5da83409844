import { type Cost, estimateCost, schemeNamed } from '../../awareness/index.ts';
import type { RoundReport } from '../../exchange/index.ts';
import type { ServerId } from '../../soif/index.ts';

/** One round with a source, as it is kept. */
export interface RoundNote {
  /** Seconds since 1970; when it ended. */
  readonly at: number;
  /** Schemes run, in order; empty when nothing had changed. */
  readonly schemes: readonly string[];
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
  readonly learned: number;
  readonly refreshed: number;
  readonly forgotten: number;
}

/** What a scheme took when it was last run alone in a round, and what that was predicted to take. */
export interface SchemeMeasure {
  readonly scheme: string;
  readonly at: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
  readonly predicted: Pick<Cost, 'bytesUp' | 'bytesDown'>;
}

/** What was known of a pair before a round. */
export interface PairBefore {
  readonly held: number;
  /** Marker's sequence number; absent where another life of the source was learned, or nothing yet. */
  readonly lsn: number | undefined;
}

/** Rounds of a source that are kept. */
const maxRounds = 50;

export function roundNote(report: RoundReport, at: number): RoundNote {
  const { schemes, bytesUp, bytesDown, ms, learned, refreshed, forgotten } = report;
  return { at, schemes, bytesUp, bytesDown, ms, learned, refreshed, forgotten };
}

/** What a round says of its scheme; undefined where several were run, so that nobody knows what each of them took. */
export function measureOf(
  round: RoundNote,
  before: PairBefore,
  after: { readonly count: number; readonly lsn: number; readonly objectBytes: number | undefined },
): SchemeMeasure | undefined {
  const [name, ...others] = round.schemes;
  const scheme = name === undefined || others.length > 0 ? undefined : schemeNamed(name);
  if (scheme === undefined) return undefined;
  const { bytesUp, bytesDown } = estimateCost(scheme, {
    count: after.count,
    held: before.held,
    changes: before.lsn === undefined ? undefined : Math.max(0, after.lsn - before.lsn),
    want: 'objects',
    ...(after.objectBytes === undefined ? {} : { objectBytes: after.objectBytes }),
  });
  const predicted = { bytesUp: Math.round(bytesUp), bytesDown: Math.round(bytesDown) };
  return {
    ...{ scheme: scheme.name, at: round.at, ms: round.ms, predicted },
    ...{ bytesUp: round.bytesUp, bytesDown: round.bytesDown },
  };
}

/** The last rounds of each source, oldest first. */
export class RoundHistory {
  readonly #rounds = new Map<ServerId, RoundNote[]>();

  note(source: ServerId, round: RoundNote): void {
    const kept = this.#rounds.get(source) ?? [];
    kept.push(round);
    if (kept.length > maxRounds) kept.shift();
    this.#rounds.set(source, kept);
  }

  of(source: ServerId): readonly RoundNote[] {
    return this.#rounds.get(source) ?? [];
  }

  forget(source: ServerId): void {
    this.#rounds.delete(source);
  }
}
