import { type JsonScalar, scanJson } from '../json/index.ts';
import { localName, type Thing, ThingMaker, type Value } from './thing.ts';

const maxDepth = 48;

/**
 * The things that JSON-LD scripts describe (JSON-LD 1.1 as schema.org is written with it, contexts are not read):
 * single things, arrays, graphs, things within things and references by `@id`, also from script to script. Comments,
 * CDATA sections, missing and superfluous commas do no harm; of broken JSON the part before the fault counts.
 */
export function readJsonLd(scripts: readonly string[]): readonly Thing[] {
  const builder = new GraphBuilder();
  for (const script of scripts) {
    const text = cleaned(script);
    if (builder.read(text)) continue;
    const before = builder.takeBack();
    if (!builder.read(repaired(text))) builder.give(before);
  }
  return linked(builder.roots);
}

/** The longest text of an article among these things and the things within them; empty without one. */
export function articleBody(roots: readonly Thing[]): string {
  const things = new Set(roots);
  let longest = '';
  for (const { properties } of things)
    for (const [name, values] of properties)
      for (const value of values) {
        if (typeof value !== 'string') things.add(value);
        else if (name === 'articleBody' && value.length > longest.length) longest = value;
      }
  return longest;
}

/** Without marks that hide a script from old browsers; entities are decoded where the quotes are entities too. */
function cleaned(script: string): string {
  const text = script
    .replace(/"(?:\\.|[^"\\])*"|<!\[CDATA\[|\]\]>|<!--|-->/gs, (found) =>
      found.startsWith('"') ? found : ' ',
    )
    .replace(/^\s*\/\/\s*(?=[{[])/, '');
  const quote = /&(?:quot|#0*34|#x0*22);/gi;
  if (text.includes('"') || !quote.test(text)) return text;
  return text.replace(quote, '"').replaceAll('&amp;', '&');
}

/**
 * Broken JSON with quotation marks within strings escaped, names quoted and missing values set to null: a mark that ends
 * a string is followed by a sign.
 */
function repaired(text: string): string {
  let inside = false;
  return text.replace(
    /\\.|"(?=(\s*(?:[:}\]]|$|,\s*(?:["{[\d\-tfn]|[a-z_$][\w$]*\s*:)))?)|:(?=\s*[,}\]])|[a-z_$][\w$]*(?=(\s*:)?)/gis,
    (found, after: string | undefined, colon: string | undefined) => {
      if (found === '"') {
        if (inside && after === undefined) return '\\"';
        inside = !inside;
      } else if (!inside && found === ':') return ': null';
      else if (!inside && /^[a-z_$]/i.test(found) && !/^(?:true|false|null)$/.test(found))
        return colon === undefined ? 'null' : `"${found}"`;
      return found;
    },
  );
}

interface Frame {
  /** Undefined for a part that is not read. */
  readonly thing: Thing | undefined;
  /** Within an array the property that its elements belong to; undefined at the top of a script. */
  readonly property: string | undefined;
  readonly isArray: boolean;
}

const top: Frame = { thing: undefined, property: undefined, isArray: true };

class GraphBuilder {
  readonly roots: Thing[] = [];
  readonly #maker = new ThingMaker();
  #open: Frame[] = [];
  /** Number of open parts that are not read. */
  #skipped = 0;
  #first = 0;

  object(key: string | undefined): void {
    const around = this.#open.at(-1) ?? top;
    const property = around.isArray ? around.property : key;
    if (this.#skips(property)) return;
    const thing = this.#maker.make();
    if (thing === undefined) {
      this.#skipped++;
      return;
    }
    this.#open.push({ thing, property: undefined, isArray: false });
    if (around.thing === undefined || property === undefined || property === '@graph') this.roots.push(thing);
    else this.#maker.add(around.thing, property, thing);
  }

  array(key: string | undefined): void {
    const around = this.#open.at(-1) ?? top;
    const property = around.isArray ? around.property : key;
    if (this.#skips(property)) return;
    this.#open.push({ thing: around.thing, property, isArray: true });
  }

  #skips(property: string | undefined): boolean {
    const skips =
      this.#skipped > 0 ||
      this.#open.length >= maxDepth ||
      property === '@context' ||
      property === '@reverse' ||
      property === '@included';
    if (skips) this.#skipped++;
    return skips;
  }

  end(): void {
    if (this.#skipped > 0) this.#skipped--;
    else this.#open.pop();
  }

  value(key: string | undefined, type: JsonScalar, text: string): void {
    const around = this.#open.at(-1);
    const property = around?.isArray === true ? around.property : key;
    if (this.#skipped > 0 || around?.thing === undefined || property === undefined || type === 'null') return;
    // The context of schema.org names `@id` and `@type` also `id` and `type`.
    if (property === '@id' || property === 'id') around.thing.id ??= text.slice(0, 2048);
    else if (property === '@type' || property === 'type') {
      if (around.thing.types.length < 16) around.thing.types.push(localName(text));
    } else this.#maker.add(around.thing, property, text);
  }

  /** Read one script; false where it is not JSON, what comes before counts. */
  read(text: string): boolean {
    this.#open = [];
    this.#skipped = 0;
    this.#first = this.roots.length;
    return scanJson(text, this);
  }

  /** Take back the things of the last script. */
  takeBack(): readonly Thing[] {
    return this.roots.splice(this.#first);
  }

  /** Put things back in place of those of the last script. */
  give(things: readonly Thing[]): void {
    this.roots.splice(this.#first, this.roots.length, ...things);
  }
}

/** Replace references by the things that they name, and `@value`, `@list` and `@set` by what they hold. */
function linked(roots: readonly Thing[]): readonly Thing[] {
  const all: Thing[] = [...roots];
  const byId = new Map<string, Thing>();
  for (let at = 0; at < all.length; at++) {
    const thing = all[at] as Thing;
    if (thing.id !== undefined && thing.properties.size > 0) {
      const known = byId.get(thing.id);
      if (known === undefined || known.properties.size < thing.properties.size) byId.set(thing.id, thing);
    }
    for (const values of thing.properties.values())
      for (const value of values) if (typeof value !== 'string') all.push(value);
  }
  const resolved = (value: Value, depth: number): readonly Value[] => {
    if (typeof value === 'string') return [byId.get(value) ?? value];
    const held = ['@value', '@list', '@set'].flatMap((name) => value.properties.get(name) ?? []);
    if (held.length > 0) return depth > 4 ? [] : held.flatMap((part) => resolved(part, depth + 1));
    const isReference = value.properties.size === 0 && value.id !== undefined;
    return [isReference ? (byId.get(value.id ?? '') ?? value) : value];
  };
  for (const { properties } of all)
    for (const [property, values] of properties)
      if (!property.startsWith('@'))
        properties.set(
          property,
          values.flatMap((value) => resolved(value, 0)),
        );
  return roots;
}
