import type { WhyReport } from '../../gatherer/index.ts';
import { count } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** The answer of `garner gatherer why`: a URL, where it is published, why it is in or out, and its parts. */
export function whyText(why: WhyReport): string {
  const { url, object, publishedAs, within, parts, left } = why;
  const ofOuter = within !== undefined && object === null;
  return [
    ...(publishedAs === undefined
      ? []
      : [`  read as ${terminalSafe(url)}, published as ${terminalSafe(publishedAs)}`]),
    ...(within === undefined ? [] : [`  it is inside ${terminalSafe(within)}, which is`]),
    ...whyLines(why),
    ...(parts === undefined
      ? []
      : [`  it was unnested; ${count(parts, 'summary', 'summaries')} of documents in it`]),
    ...(object === null || parts !== undefined
      ? Object.entries(left ?? {}).map(([rule, times]) =>
          // One thing may be the document itself: a page without an index, a type that is left out.
          times === 1 && parts === undefined && !ofOuter
            ? `  left out when it was last read: ${terminalSafe(rule)}`
            : `  when ${ofOuter ? 'that' : 'it'} was last unnested, ${times} ${times === 1 ? 'was' : 'were'} left out: ${terminalSafe(rule)}`,
        )
      : []),
  ].join('\n');
}

/** Why a URL is in or out, a line for each known fact. */
export function whyLines(why: WhyReport): string[] {
  const { included, rule, object, deletedAt, sameAs, skipped, reason } = why;
  const time = (at: number) => new Date(at * 1000).toISOString();
  const without = deletedAt === null ? unmetWords(why) : `; it was deleted ${time(deletedAt)}`;
  const isSaid =
    reason === undefined ||
    rule.includes(reason) ||
    reason === skipped ||
    Object.hasOwn(why.left ?? {}, reason);
  return [
    `  ${included ? 'in' : 'out'}: ${terminalSafe(rule)}`,
    ...(isSaid ? [] : [`  the last run: ${terminalSafe(reason)}`]),
    ...(skipped === null ? [] : [`  left out in the last run: ${terminalSafe(skipped)}`]),
    ...(sameAs === null ? [] : [`  the same as ${terminalSafe(sameAs)}`]),
    object === null
      ? `  no summary${without}`
      : `  summarised ${time(object.updatedAt)}, valid until ${time(object.expiresAt)}`,
  ];
}

/** Why a URL has no summary where no run has a reason; empty where a rule keeps it out. */
function unmetWords({ included, met, looked, unnamed }: WhyReport): string {
  if (met || !included) return '';
  if (looked === true) return '; when that was last unnested, no summary of this was made';
  return unnamed === true
    ? '; the last run left out more URLs than it recorded, perhaps this one too'
    : '; no run has found it';
}
