import { type Cost, estimateCost, schemeNamed } from '../../awareness/index.ts';
import type { RoundReport } from '../../exchange/index.ts';
import type { ServerId } from '../../soif/index.ts';

export interface RoundNote {
  /** End; seconds since 1970. */
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

/** The cost of a scheme when it last ran alone in a round, and its prediction. */
export interface SchemeMeasure {
  readonly scheme: string;
  readonly at: number;
  readonly bytesUp: number;
  readonly bytesDown: number;
  readonly ms: number;
  readonly predicted: Pick<Cost, 'bytesUp' | 'bytesDown'>;
}

export interface PairBefore {
  readonly held: number;
  /** The marker's sequence number; absent where the copy is empty or from another epoch of the source. */
  readonly lsn: number | undefined;
}

/** Max rounds stored of a source. */
const maxRounds = 50;

export function roundNote(report: RoundReport, at: number): RoundNote {
  const { schemes, bytesUp, bytesDown, ms, learned, refreshed, forgotten } = report;
  return { at, schemes, bytesUp, bytesDown, ms, learned, refreshed, forgotten };
}

/** The cost of a round's scheme. Undefined where several ran, because their shares are unknown. */
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
    const rounds = this.#rounds.get(source) ?? [];
    rounds.push(round);
    if (rounds.length > maxRounds) rounds.shift();
    this.#rounds.set(source, rounds);
  }

  of(source: ServerId): readonly RoundNote[] {
    return this.#rounds.get(source) ?? [];
  }

  forget(source: ServerId): void {
    this.#rounds.delete(source);
  }
}
