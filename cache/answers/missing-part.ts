import { answerRange, type Fields, missingRange, type RawFields, strongValidator } from '../rules/index.ts';
import type { Entry } from '../storage/index.ts';

/**
 * The fields that request the missing bytes of a stored part, or the whole if it has changed (RFC 9110
 * 13.1.5). Undefined when the part has no strong validator, when nothing is missing, and when the requested
 * range does not touch the part: the two could not be joined.
 */
export function missingFields({ head, part }: Entry, requestFields: Fields): RawFields | undefined {
  const validator = strongValidator(head);
  if (part === undefined || validator === undefined) return undefined;
  const range = answerRange(requestFields, head, part.total);
  if (range.kind !== 'whole' && range.kind !== 'part') return undefined;
  const wanted = range.kind === 'part' ? range.range : { first: 0, last: part.total - 1 };
  const lacking = missingRange(part, wanted);
  if (lacking === undefined) return undefined;
  if (lacking.first > part.last + 1 || lacking.last < part.first - 1) return undefined;
  return ['Range', `bytes=${lacking.first}-${lacking.last}`, 'If-Range', validator];
}
