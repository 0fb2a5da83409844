import { isUtf8 } from 'node:buffer';
import type { GarnerError } from '../kernel/index.ts';
import type { SoifPlace } from './errors.ts';
import { nameParts } from './multi-value.ts';
import { type Attribute, Attributes } from './summary-object.ts';
import { type SoifItem, SoifParser, type SoifParserOptions } from './text-parser.ts';

/** A finding of a check: a fault cost an object, a warning did not. */
export interface SoifFinding extends SoifPlace {
  readonly kind: 'fault' | 'warning';
  /** The error's code for a fault; a stable word for a warning. */
  readonly code: string;
  /** One sentence. */
  readonly message: string;
  /** URL of the object, when it is known. */
  readonly url?: string;
}

/** Totals of a check, always its last result. */
export interface SoifCheckSummary {
  readonly kind: 'summary';
  readonly objects: number;
  /** Objects by section; objects outside of sections are under `none`. */
  readonly sections: Readonly<Record<'delete' | 'refresh' | 'update' | 'none', number>>;
  readonly bytes: number;
  /** Foreign bytes between objects. */
  readonly junkBytes: number;
  readonly faults: number;
  readonly warnings: number;
}

const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));

const numeric = lower([
  Attributes.fileSize,
  Attributes.lastModificationTime,
  Attributes.refreshRate,
  Attributes.timeToLive,
  Attributes.updateTime,
]);

const textual = lower([
  Attributes.abstract,
  Attributes.author,
  Attributes.description,
  Attributes.fullText,
  Attributes.gathererHost,
  Attributes.gathererName,
  Attributes.gathererVersion,
  Attributes.headings,
  Attributes.keywords,
  Attributes.language,
  Attributes.partialText,
  Attributes.title,
  Attributes.type,
  Attributes.urlReferences,
]);

type Warning = readonly [code: string, message: string];

/**
 * Check SOIF text as it arrives: each fault and warning with its exact byte and line, in the order found,
 * then a summary. Never throws for faults of the text.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { checkSoif } from 'garner/soif';
 *
 * const codes = [];
 * for await (const result of checkSoif([Buffer.from('@FILE { https://harbour.example/\nTitle{9}:\tHarbour\n}\n')]))
 *   if (result.kind !== 'summary') codes.push(result.code);
 * assert.deepEqual(codes, ['SOIF_TRUNCATED']);
 */
export async function* checkSoif(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: Pick<SoifParserOptions, 'limits'> = {},
): AsyncGenerator<SoifFinding | SoifCheckSummary, void, undefined> {
  let found: SoifFinding[] = [];
  const counts = { fault: 0, warning: 0 };
  const sections = { delete: 0, refresh: 0, update: 0, none: 0 };
  const parser = new SoifParser({
    ...options,
    recover: true,
    places: true,
    onFault: (error) => found.push(faultOf(error)),
    onJunk: ({ bytes, ...place }) =>
      found.push({
        kind: 'warning',
        code: 'junk',
        message: `${bytes} bytes that belong to no object are skipped.`,
        ...place,
      }),
  });
  const report = function* () {
    for (const finding of found) counts[finding.kind]++;
    yield* found;
    found = [];
  };
  const drain = function* (items: Iterable<SoifItem>) {
    for (const item of items) {
      sections[item.section ?? 'none']++;
      found.push(...warningsOf(item));
      yield* report();
    }
    yield* report();
  };
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    yield* drain(parser.push(chunk));
  }
  yield* drain(parser.end());
  yield {
    kind: 'summary',
    objects: sections.delete + sections.refresh + sections.update + sections.none,
    sections,
    bytes,
    junkBytes: parser.junkBytes,
    faults: counts.fault,
    warnings: counts.warning,
  };
}

function faultOf(error: GarnerError): SoifFinding {
  const { byte, line } = error.data as SoifPlace;
  return { kind: 'fault', code: error.code, message: error.message, byte, line };
}

function* warningsOf(item: SoifItem): Generator<SoifFinding, void, undefined> {
  const { object, byte, line } = item;
  const names = new Map<string, number>();
  for (const { name } of object.attributes) {
    const key = name.toLowerCase();
    names.set(key, (names.get(key) ?? 0) + 1);
  }
  const warn = ([code, message]: Warning, place: SoifPlace): SoifFinding => {
    return { kind: 'warning', code, message, byte: place.byte, line: place.line, url: object.url };
  };
  // A deletion or refresh need only name its object (RFC 2655 requires the attribute of summaries).
  if ((item.section ?? 'update') === 'update' && !names.has(Attributes.updateTime.toLowerCase()))
    yield warn(['update-time', 'The object has no Update-Time.'], { byte, line });

  const seen = new Set<string>();
  for (const [at, attribute] of object.attributes.entries()) {
    const place = item.places?.[at] ?? { byte, line };
    for (const warning of valueWarnings(attribute)) yield warn(warning, place);
    for (const warning of nameWarnings(attribute.name, names)) yield warn(warning, place);
    const key = attribute.name.toLowerCase();
    if (seen.has(key)) yield warn(['repeated', `${attribute.name} is repeated.`], place);
    seen.add(key);
  }
}

function* valueWarnings({ name, value }: Attribute): Generator<Warning, void, undefined> {
  const { base } = nameParts(name.toLowerCase());
  if (numeric.has(base) && !/^\d{1,15}$/.test(asText(value, 16)))
    yield ['number', `${name} is not a number of ${base === 'file-size' ? 'bytes' : 'seconds'}.`];
  if (base === Attributes.md5.toLowerCase() && !/^[0-9a-f]{32}$/i.test(asText(value, 33)))
    yield ['md5', `${name} is not 32 hexadecimal digits.`];
  if (textual.has(base) && !isUtf8(value)) yield ['utf-8', `${name} is not valid UTF-8.`];
}

function* nameWarnings(
  name: string,
  names: ReadonlyMap<string, number>,
): Generator<Warning, void, undefined> {
  const { embed, index } = nameParts(name);
  if (!/^(?:Embed<\d+>-)*[A-Za-z0-9_-]+$/i.test(name))
    yield ['name', `The name ${name} has characters that RFC 2655 does not allow.`];
  else if (embed.length === 0 && /^embed</i.test(name))
    yield ['name', `The name ${name} is not of the form Embed<number>-Name.`];
  if (index === undefined) return;
  const stem = name.toLowerCase().replace(/\d+$/, '');
  const hasSibling =
    names.has(stem.slice(0, -1)) || [index - 1, index + 1].some((n) => names.has(`${stem}${n}`));
  if (!hasSibling)
    yield [
      'multi-value',
      `The name ${name} ends like one of several values, but there is no other value of it.`,
    ];
}

const asText = (value: Uint8Array, limit: number) =>
  Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, limit)).toString('latin1');
