import { answerRange, type Fields, type RawFields, strongValidator } from './rules/index.ts';
import type { ByteRange, Entry } from './storage/index.ts';

/** What is to be asked for so that a stored part holds `wanted`: one run of bytes, or undefined when it takes two. */
function missing(part: ByteRange, wanted: ByteRange): ByteRange | undefined {
  const before = wanted.first < part.first;
  const after = wanted.last > part.last;
  if (before === after) return undefined;
  return before ? { first: wanted.first, last: part.first - 1 } : { first: part.last + 1, last: wanted.last };
}

/**
 * The fields that ask for what a stored part lacks, and for the whole if it has changed (RFC 9110 13.1.5). Undefined when
 * it has no strong validator or one request is not enough.
 */
export function missingFields({ head, part }: Entry, asked: Fields): RawFields | undefined {
  const validator = strongValidator(head);
  if (part === undefined || validator === undefined) return undefined;
  const range = answerRange(asked, head, part.total);
  if (range.kind !== 'whole' && range.kind !== 'part') return undefined;
  const wanted = range.kind === 'part' ? range.range : { first: 0, last: part.total - 1 };
  const lacking = missing(part, wanted);
  if (lacking === undefined) return undefined;
  return ['Range', `bytes=${lacking.first}-${lacking.last}`, 'If-Range', validator];
}
