import { oneLine } from '../text/index.ts';
import { type ContentLine, contentLines, plainValue, valueParts } from './content-lines.ts';

/** A person or an organisation. */
export interface Card {
  readonly name: string;
  readonly organisations: readonly string[];
  /** Job titles and roles. */
  readonly positions: readonly string[];
  readonly mails: readonly string[];
  readonly telephones: readonly string[];
  /** One line each. */
  readonly addresses: readonly string[];
  readonly urls: readonly string[];
  readonly notes: readonly string[];
  readonly keywords: readonly string[];
  readonly birthday: string | undefined;
  /** Date of the last revision, as written. */
  readonly revised: string | undefined;
  readonly languages: readonly string[];
  readonly version: string | undefined;
}

const maxDepth = 16;

/** The cards of a file, one at a time; one without an end counts, and cards within cards are their own. */
export function* vcards(bytes: Uint8Array, charset?: string): Generator<Card> {
  const open: ContentLine[][] = [];
  for (const line of contentLines(bytes, charset)) {
    const isCard = /^\s*VCARD\s*$/i.test(line.value);
    if (line.name === 'BEGIN' && isCard) {
      if (open.length < maxDepth) open.push([]);
    } else if (line.name === 'END' && isCard) {
      const lines = open.pop();
      if (lines !== undefined) yield cardOf(lines);
    } else open.at(-1)?.push(line);
  }
  for (const lines of open) yield cardOf(lines);
}

function cardOf(lines: readonly ContentLine[]): Card {
  const of = (...names: readonly string[]) => lines.filter(({ name }) => names.includes(name));
  const texts = (...names: readonly string[]) =>
    of(...names)
      .map(({ value }) => plainValue(value).trim())
      .filter(Boolean);
  const first = (...names: readonly string[]) => names.flatMap((name) => texts(name))[0];
  const structured = (name: string, order: readonly number[]) =>
    of(name).map(({ value }) => {
      const parts = valueParts(value, ';');
      return order.map((at) => parts[at] ?? '').filter(Boolean);
    });
  const organisations = of('ORG').map(({ value }) => valueParts(value, ';').filter(Boolean).join(', '));
  const mails = texts('EMAIL').map((mail) => mail.replace(/^mailto:/i, ''));
  // Prefix, given, additional, family, suffix.
  const composed = structured('N', [3, 1, 2, 0, 4])[0]?.join(' ');
  return {
    name: oneLine(first('FN') ?? (composed || (organisations[0] ?? first('NICKNAME') ?? mails[0] ?? ''))),
    organisations: organisations.filter(Boolean),
    positions: texts('TITLE', 'ROLE'),
    mails,
    telephones: texts('TEL').map((number) => number.replace(/^tel:/i, '')),
    addresses: structured('ADR', [0, 1, 2, 5, 3, 4, 6]).map((parts) => oneLine(parts.join(', '))),
    urls: texts('URL', 'SOURCE'),
    notes: texts('NOTE'),
    keywords: of('CATEGORIES').flatMap(({ value }) => valueParts(value, ',')),
    birthday: dateOf(first('BDAY')),
    revised: dateOf(first('REV')),
    languages: texts('LANG'),
    version: first('VERSION'),
  };
}

/** A date with its hyphens and colons. */
export function dateOf(written: string | undefined): string | undefined {
  const parts =
    /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d)(?::?(\d\d))?(?:[.,]\d{1,9})?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(
      written?.trim() ?? '',
    );
  if (parts === null) return written === undefined ? undefined : oneLine(written.slice(0, 100));
  const [, year, month, day, hour, minute, second = '00', zone = ''] = parts;
  const date = `${year}-${month}-${day}`;
  return hour === undefined ? date : `${date}T${hour}:${minute}:${second}${zone.toUpperCase()}`;
}
