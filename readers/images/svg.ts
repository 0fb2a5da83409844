import type { Field } from '../document/index.ts';
import { beginning, oneLine } from '../text/index.ts';
import { scanXml } from '../xml/index.ts';
import type { ImageFacts } from './image-facts.ts';
import { xmpFields } from './xmp.ts';

const maxText = 1024 * 1024;
const maxTexts = 50_000;

/** A drawing's facts and the words in it. */
export interface Drawing {
  readonly facts: ImageFacts;
  /** Labels and descriptions in their order. */
  readonly texts: readonly string[];
  /** Links as written. */
  readonly links: readonly string[];
}

/** Read an SVG drawing: size, title, descriptions, text and its metadata (Dublin Core). */
export function readSvg(source: string): Drawing {
  const texts: string[] = [];
  const links = new Set<string>();
  let title: string | undefined;
  let description: string | undefined;
  let size: ReadonlyMap<string, string> | undefined;
  let metadata = false;
  // The element that the current text belongs to, and its depth.
  let holder: 'title' | 'desc' | 'text' | undefined;
  let holderDepth = 0;
  let text = '';
  let total = 0;
  let elements = 0;
  scanXml(source, {
    open(name, attributes, depth) {
      elements++;
      const local = name.slice(name.indexOf(':') + 1);
      if (depth === 1) size = attributes;
      if (local === 'metadata') metadata = true;
      if (
        holder === undefined &&
        (local === 'title' || local === 'desc' || local === 'text') &&
        name !== 'dc:title'
      ) {
        holder = local;
        holderDepth = depth;
        text = '';
      } else if (holder === 'text' && local === 'tspan' && text !== '') text += ' ';
      if (local === 'a') {
        const link = attributes.get('href') ?? attributes.get('xlink:href');
        if (link !== undefined && links.size < 1000) links.add(link);
      }
    },
    text(part) {
      if (holder !== undefined && total < maxText) {
        text += part;
        total += part.length;
      }
    },
    close(_name, depth) {
      if (holder === undefined || depth !== holderDepth) return;
      const value = oneLine(text);
      if (holder === 'title' && depth === 2) title ??= beginning(value, 1000);
      else if (holder === 'desc' && depth === 2) description ??= value;
      if (value !== '' && texts.length < maxTexts) texts.push(value);
      holder = undefined;
    },
  });
  const box = (size?.get('viewBox') ?? '').split(/[\s,]+/).map(Number);
  const fields: Field[] = metadata ? xmpFields(source) : [];
  const known = new Set(fields.map(([name]) => name));
  if (description !== undefined && !known.has('Description')) fields.push(['Description', description]);
  fields.push(['Elements', String(elements)]);
  const facts = {
    format: 'SVG',
    width: lengthOf(size?.get('width')) ?? box[2],
    height: lengthOf(size?.get('height')) ?? box[3],
    title: title ?? fields.find(([name]) => name === 'Title')?.[1],
    fields: fields.filter(([name]) => name !== 'Title'),
  };
  return { facts, texts, links: [...links] };
}

// CSS units in pixels of 96 to the inch.
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

function lengthOf(text: string | undefined): number | undefined {
  const match = /^\s*(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]{0,2})\s*$/.exec(text ?? '');
  const unit = match && units[match[2] ?? ''];
  return match === null || unit == null ? undefined : Math.round(Number(match[1]) * unit);
}
