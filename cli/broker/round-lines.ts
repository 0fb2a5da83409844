import type { RoundReport } from '../../exchange/events.ts';
import { number, size } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** The results and bytes of rounds, a line each. */
export function roundLines(rounds: readonly RoundReport[]): string {
  return rounds
    .map(
      (round) =>
        `  ${terminalSafe(round.source)}: learned ${number(round.learned)}, refreshed ${number(round.refreshed)}, forgot ${number(round.forgotten)}; ` +
        `${size(round.bytesUp)} up, ${size(round.bytesDown)} down${round.schemes.length === 0 ? ' (nothing had changed)' : ` by ${round.schemes.join(', ')}`}`,
    )
    .join('\n');
}
