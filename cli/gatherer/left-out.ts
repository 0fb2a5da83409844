import type { documentDone } from '../../gatherer/events.ts';
import { type Output, terminalSafe } from '../text/output.ts';

type Done = Parameters<Parameters<typeof documentDone.subscribe>[0]>[0];

/** Lines that may wait for a slow reader; more are only counted. */
const maxWaiting = 10_000;

/** Prints each left-out document with its rule when the event arrives; end it before the report. */
export function listLeftOut(output: Output): { take(done: Done): void; end(): Promise<void> } {
  let last = '';
  let waiting = 0;
  let lost = 0;
  let failed: unknown;
  let written: Promise<void> = Promise.resolve();
  return {
    take: ({ url, outcome, reason = '' }) => {
      // Members left out of one archive have an event each, all under the archive's URL.
      if (outcome !== 'skipped' || last === `${url}\n${reason}`) return;
      last = `${url}\n${reason}`;
      if (waiting >= maxWaiting) {
        lost++;
        return;
      }
      waiting++;
      written = output
        .result(
          { leftOut: url, rule: reason },
          () => `left out ${terminalSafe(url)}: ${terminalSafe(reason)}`,
        )
        .catch((error: unknown) => {
          failed ??= error;
        })
        .finally(() => {
          waiting--;
        });
    },
    end: async () => {
      await written;
      if (failed !== undefined) throw failed;
      if (lost > 0) output.note(`and ${lost} more, which came faster than they could be printed`);
    },
  };
}
