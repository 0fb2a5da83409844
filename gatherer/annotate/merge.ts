import type { Field } from '../../readers/document/index.ts';
import { type Attribute, Attributes, baseName, type SummaryObject } from '../../soif/index.ts';

/** A gathered attribute that an annotation replaces, with its position among the gathered ones. */
export interface Hidden extends Attribute {
  readonly position: number;
}

/** How an annotation was merged into an object; enough to take it out again. */
export interface Merge {
  /** Base names of the annotated attributes, in lower case: their values come from the annotation alone. */
  readonly bases: readonly string[];
  /** In gathered order. */
  readonly hidden: readonly Hidden[];
}

// Short attributes come first: annotated attributes go before these, which close a summary.
const closing = new Set(
  [
    Attributes.type,
    Attributes.fileSize,
    Attributes.lastModificationTime,
    Attributes.md5,
    'Types-Tried',
    'Summary-Note',
    Attributes.urlReferences,
    Attributes.partialText,
    Attributes.fullText,
    Attributes.timeToLive,
    Attributes.refreshRate,
    Attributes.updateTime,
    Attributes.gathererName,
  ].map((name) => name.toLowerCase()),
);
const title = Attributes.title.toLowerCase();

const encoder = new TextEncoder();

/**
 * Merge an annotation into a gathered object (Harvest: `mergedb`). An annotated attribute replaces the gathered one of
 * that name with all its numbered values. Others are added before the closing attributes, a new Title first. An empty
 * value only hides. Merging again changes nothing.
 */
export function merged(
  gathered: SummaryObject,
  fields: readonly Field[],
): { readonly object: SummaryObject; readonly merge: Merge } {
  const groups = grouped(fields);
  const hidden: Hidden[] = [];
  const attributes: Attribute[] = [];
  const placed = new Set<string>();
  for (const [position, attribute] of gathered.attributes.entries()) {
    const base = baseName(attribute.name);
    const group = groups.get(base);
    if (group === undefined) {
      attributes.push(attribute);
      continue;
    }
    hidden.push({ ...attribute, position });
    if (!placed.has(base)) attributes.push(...group);
    placed.add(base);
  }
  const added = [...groups].filter(([base]) => !placed.has(base));
  const at = attributes.findIndex(({ name }) => closing.has(name.toLowerCase()));
  const others = added.filter(([base]) => base !== title).flatMap(([, group]) => group);
  attributes.splice(at < 0 ? attributes.length : at, 0, ...others);
  attributes.unshift(...added.filter(([base]) => base === title).flatMap(([, group]) => group));
  return { object: { ...gathered, attributes }, merge: { bases: [...groups.keys()], hidden } };
}

/** The gathered object of a merged one; an object that was never merged stays unchanged. */
export function unmerged(object: SummaryObject, { bases, hidden }: Merge): SummaryObject {
  const annotated = new Set(bases);
  const rest = object.attributes.filter(({ name }) => !annotated.has(baseName(name)));
  const attributes: Attribute[] = [];
  let next = 0;
  for (const { name, value, position } of hidden) {
    while (attributes.length < position && next < rest.length) attributes.push(rest[next++] as Attribute);
    attributes.push({ name, value });
  }
  return { ...object, attributes: attributes.concat(rest.slice(next)) };
}

/** The fields of an annotation, with those of another replacing all fields of the same names. */
export function laidOver(fields: readonly Field[], others: readonly Field[]): readonly Field[] {
  const replaced = new Set(others.map(([name]) => baseName(name)));
  return [...fields.filter(([name]) => !replaced.has(baseName(name))), ...others];
}

/** The attributes to print for each annotated name, by base name, in the annotation's order. */
function grouped(fields: readonly Field[]): ReadonlyMap<string, readonly Attribute[]> {
  const groups = new Map<string, Attribute[]>();
  for (const [name, value] of fields) {
    const base = baseName(name);
    const group = groups.get(base) ?? [];
    groups.set(base, group);
    if (value !== '') group.push({ name, value: encoder.encode(value) });
  }
  return groups;
}
