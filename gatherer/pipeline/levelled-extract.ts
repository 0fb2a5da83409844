import type { Extract, Field, SummariseOptions } from '../../readers/document/index.ts';
import { Attributes, decodeAnchors, encodeAnchors } from '../../soif/index.ts';
import { levelFields, type ReadDocument } from '../condense/index.ts';

/** An extract with its text as the attributes of a level. */
export interface LevelledExtract extends Omit<Extract, 'text'> {
  /** `Full-Text` or `Partial-Text`. */
  readonly text?: Field;
}

const made: ReadonlySet<string> = new Set(
  [Attributes.keywords, Attributes.headings].map((name) => name.toLowerCase()),
);
const texts: ReadonlySet<string> = new Set([Attributes.fullText, Attributes.partialText]);

/**
 * Apply the level of `gatherer.text` to an extract; this is the only place for it, for every type. Keywords and
 * Headings replace the document's own; without own ones they come after its other fields, Keywords before Headings.
 * `terse` leaves the references out too; links are followed at every level. Deterministic, linear in the text.
 */
export function levelledExtract(
  extract: Extract,
  options: Pick<SummariseOptions, 'text' | 'maxTextBytes'>,
): LevelledExtract {
  const { text: read, ...found } = extract;
  const { text: level, maxTextBytes } = options;
  if (level === 'none') return found;
  const { fields, cut, unread } = levelFields(readDocument(extract), level, maxTextBytes);
  const notes = [...found.notes];
  if (cut || (level === 'full' && read?.cut)) notes.push(`Text was cut at ${maxTextBytes} bytes.`);
  else if (unread || read?.cut) notes.push('Only the beginning of its text was read.');
  const text = fields.find(([name]) => texts.has(name));
  return {
    ...found,
    fields: withAnchors(
      found.fields,
      inPlace(
        found.fields,
        fields.filter((field) => field !== text),
      ),
    ),
    ...(text === undefined ? {} : { text }),
    references: level === 'terse' ? [] : found.references,
    notes,
  };
}

function readDocument({ title, fields, text }: Extract): ReadDocument {
  const language = fields.find(([name]) => name.toLowerCase() === 'language')?.[1];
  return {
    ...(title === undefined ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    fields,
    blocks: text?.blocks ?? [],
  };
}

/** Fields with the identifiers of the headings that are among them. */
function withAnchors(own: readonly Field[], fields: readonly Field[]): Field[] {
  const textOf = (all: readonly Field[], name: string) => all.find(([other]) => other === name)?.[1] ?? '';
  const anchors = textOf(own, Attributes.headingAnchors);
  if (anchors === '') return [...fields];
  const left = new Map<string, (string | undefined)[]>();
  for (const { heading, anchor } of decodeAnchors(textOf(own, Attributes.headings), anchors).reverse()) {
    const same = left.get(heading) ?? [];
    same.push(anchor);
    left.set(heading, same);
  }
  const kept = textOf(fields, Attributes.headings)
    .split('\n')
    .map((heading) => ({ heading, anchor: left.get(heading)?.pop() }));
  const value = encodeAnchors(kept);
  return fields.flatMap((field): Field[] =>
    field[0] !== Attributes.headingAnchors ? [field] : value === '' ? [] : [[field[0], value]],
  );
}

/** Own fields, with fields made from the text in the places of own ones of the same names. */
function inPlace(own: readonly Field[], fields: readonly Field[]): Field[] {
  const left = new Map(fields.map((field) => [field[0].toLowerCase(), field]));
  const placed: Field[] = [];
  const place = (name: string) => {
    const field = left.get(name);
    if (field !== undefined) placed.push(field);
    left.delete(name);
  };
  const keywords = Attributes.keywords.toLowerCase();
  const hasKeywords = own.some(([name]) => name.toLowerCase() === keywords);
  for (const field of own) {
    const name = field[0].toLowerCase();
    if (!made.has(name)) placed.push(field);
    else {
      if (!hasKeywords) place(keywords);
      place(name);
    }
  }
  return [...placed, ...left.values()];
}
