import { deltaSeconds } from './directives.ts';
import { type Fields, trimmed } from './fields.ts';

/**
 * Seconds of the Age field (RFC 9111 5.1): the first value of the first line counts, and what is no whole number of
 * seconds is ignored, as if it were 0.
 */
export function ageOf(fields: Fields): number {
  const line = fields.lines('age')[0];
  if (line === undefined) return 0;
  const comma = line.indexOf(',');
  const first = comma < 0 ? line : trimmed(line.slice(0, comma));
  return deltaSeconds(first) ?? 0;
}
