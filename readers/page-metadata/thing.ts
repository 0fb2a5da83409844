import { beginning } from '../text/index.ts';

/** Max characters of one value, as of any attribute on one line. */
const maxValue = 8 * 1024;
const maxBody = 64 * 1024;
const maxThings = 5000;
const maxValues = 20_000;

/** A thing that a page describes, such as an article or a person, with the names of schema.org. */
export interface Thing {
  /** Without the vocabulary: `Article`. */
  readonly types: string[];
  id: string | undefined;
  readonly properties: Map<string, Value[]>;
}

export type Value = string | Thing;

/** Makes the things of one page, up to a number of things and values. */
export class ThingMaker {
  #things = 0;
  #values = 0;

  /** A new thing, or undefined when there are too many. */
  make(types: readonly string[] = []): Thing | undefined {
    if (++this.#things > maxThings) return undefined;
    return { types: types.map(localName), id: undefined, properties: new Map() };
  }

  /** Add one value of a property. */
  add(thing: Thing, property: string, value: Value): void {
    if (++this.#values > maxValues) return;
    const name = localName(property);
    const max = name === 'articleBody' ? maxBody : maxValue;
    const kept = typeof value === 'string' ? beginning(value, max) : value;
    const values = thing.properties.get(name);
    if (values === undefined) thing.properties.set(name, [kept]);
    else values.push(kept);
  }
}

/** Names of other vocabularies that pages use in RDFa. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['title', 'name'],
  ['creator', 'author'],
  ['date', 'datePublished'],
  ['issued', 'datePublished'],
  ['created', 'dateCreated'],
  ['modified', 'dateModified'],
  ['subject', 'keywords'],
  ['Document', 'CreativeWork'],
]);

/** `Article` of `https://schema.org/Article` and `schema:Article`; a name of Dublin Core or FOAF as in schema.org. */
export function localName(written: string): string {
  const name = beginning(written, 200);
  const other = /^(?:dc|dcterms|foaf):(\w+)$/.exec(name)?.[1];
  if (other !== undefined) return aliases.get(other) ?? other;
  return name.replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');
}

/** Words divided by white space, at most 16. */
export function words(text: string | undefined): string[] {
  return (text ?? '')
    .split(/\s+/, 17)
    .filter((word) => word !== '')
    .slice(0, 16);
}
