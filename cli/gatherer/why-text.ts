import type { WhyReport } from '../../gatherer/index.ts';
import { count, whyLines } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** Why a URL is in or out, as a person reads it. */
export function whyText(why: WhyReport): string {
  const { url, object, publishedAs, within, parts, left } = why;
  const ofOuter = within !== undefined && object === null;
  return [
    ...(publishedAs === undefined
      ? []
      : [`  read as ${terminalSafe(url)}, published as ${terminalSafe(publishedAs)}`]),
    ...(within === undefined ? [] : [`  it lies in ${terminalSafe(within)}, which is`]),
    ...whyLines(why),
    ...(parts === undefined ? [] : [`  it was opened; ${count(parts, 'document')} in it with a summary`]),
    ...(object === null || parts !== undefined
      ? Object.entries(left ?? {}).map(
          ([rule, times]) =>
            `  the last look${ofOuter ? ' into that' : ''} left out ${times}: ${terminalSafe(rule)}`,
        )
      : []),
  ].join('\n');
}
