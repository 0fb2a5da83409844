import { Parser } from 'htmlparser2';
import { declaredCharset, decodeText } from '../text/index.ts';

/** Attributes of an element by their names as written. */
export type XmlAttributes = Readonly<Record<string, string>>;

/** The events that a reader of XML receives; names as written, with their prefix. */
export interface XmlHandler {
  open?(name: string, attributes: XmlAttributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Read XML without building a tree, as far as possible; declared entities stay, so none expands. */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => handler.open?.(name, attributes),
      ontext: (text) => handler.text?.(text),
      onclosetag: (name) => handler.close?.(name),
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(decodeText(bytes, undefined, declaredCharset(bytes)));
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The value of an attribute with any prefix or none. */
export function localAttribute(attributes: XmlAttributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  for (const [key, value] of Object.entries(attributes)) if (localName(key) === name) return value;
  return undefined;
}

const maxValues = 1000;
const maxValue = 64 * 1024;

/** The texts of simple elements by name, as in metadata parts; at most 1000 values. */
export function elementTexts(bytes: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let values = 0;
  let text = '';
  readXml(bytes, {
    open: () => {
      text = '';
    },
    text: (part) => {
      if (text.length < maxValue) text += part;
    },
    close: (name) => {
      const value = text.trim();
      text = '';
      if (value === '' || values >= maxValues) return;
      values++;
      const list = found.get(name);
      if (list === undefined) found.set(name, [value]);
      else list.push(value);
    },
  });
  return found;
}
