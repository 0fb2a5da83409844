import { cutAtWord } from '../../kernel/index.ts';
import type { Extract, Field } from '../document/index.ts';
import { beginning, oneLine } from './clean-text.ts';
import { withoutEditorMarks } from './plain-sections.ts';
import type { References } from './reference-collector.ts';
import type { TextBlocks } from './text-blocks.ts';

/** Max characters of a title or heading. */
export const maxTitle = 1000;
/** Max characters of a value on one line. */
export const maxValue = 8 * 1024;
const maxValues = 1000;

/** A reader's findings in a document without robots directives; every field may be absent. */
export interface ExtractParts {
  readonly title?: string | undefined;
  readonly fields: readonly Field[];
  readonly blocks?: TextBlocks;
  readonly references?: References;
  readonly notes?: readonly string[];
}

/** The extract of the findings. */
export function extractOf(found: ExtractParts): Extract {
  const title = cutAtWord(clean(withoutEditorMarks(found.title ?? '')), maxTitle);
  const text = found.blocks?.read();
  const { references, links, cut } = found.references ?? { references: [], links: [], cut: false };
  return {
    ...(title === '' ? {} : { title }),
    fields: found.fields,
    ...(text === undefined ? {} : { text }),
    references,
    links,
    index: true,
    follow: true,
    notes: [...(found.notes ?? []), ...(cut ? ['Some links were left out: too many or too long.'] : [])],
  };
}

/** An attribute of one line of at most 8 KiB; undefined is the empty value, which is dropped. */
export function fact(name: string, value: string | number | undefined): Field {
  return [name, clean(String(value ?? ''))];
}

/** One attribute with its values joined, each different one once; at most 1000 values of 8 KiB. */
export function joined(name: string, values: Iterable<string>, separator = ', '): Field {
  return [name, distinct(values).join(separator)];
}

/** One attribute for one value, `Name-1`, `Name-2` for more; each different value once, at most 1000. */
export function eachOf(name: string, values: Iterable<string>): readonly Field[] {
  return numbered(name, distinct(values));
}

/** One attribute, or several numbered from 1 when there are more values. */
export function numbered(attribute: string, values: readonly string[]): Field[] {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return [[attribute, only]];
  return values.map((value, at) => [`${attribute}-${at + 1}`, value]);
}

/** `own` before `fields`: own fields replace those of the same name, numbered ones too. */
export function preceding(own: readonly Field[], fields: readonly Field[]): Field[] {
  const base = (name: string) => name.toLowerCase().replace(/-\d{1,9}$/, '');
  const names = new Set(own.map(([name]) => base(name)));
  return [...own, ...fields.filter(([name]) => !names.has(base(name)))];
}

function distinct(values: Iterable<string>): string[] {
  const seen = new Set<string>();
  for (const value of values) {
    const text = clean(value);
    if (text !== '') seen.add(text);
    if (seen.size >= maxValues) break;
  }
  return [...seen];
}

// A reader's own bound may have cut a character in two.
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function clean(value: string): string {
  return oneLine(beginning(value, maxValue).replace(halves, ''));
}

/** A language tag (BCP 47) as given, or undefined when malformed; of a list the first is used. */
export function languageTag(text: string | undefined): string | undefined {
  const [first = ''] = (text ?? '').split(',', 1);
  const tag = first.trim();
  return tag.length <= 35 && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : undefined;
}

/** The result of `read`; when it throws, undefined with a note that `what` could not be read. */
export function attempted<Value>(what: string, notes: string[], read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    notes.push(`${what} could not be read.`);
    return undefined;
  }
}
