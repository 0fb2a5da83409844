import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** Receives the events of an XML document. Names are as written, with their prefix. */
export interface XmlEvents {
  /** `depth` is 1 for the root. */
  open(name: string, attributes: ReadonlyMap<string, string>, depth: number): void;
  text(text: string): void;
  close(name: string, depth: number): void;
  comment?(text: string): void;
  /** A processing instruction or declaration, without its brackets. */
  instruction?(text: string): void;
}

const maxDepth = 10_000;
const maxLookBack = 64;
const maxAttributes = 500;
const maxValue = 64 * 1024;
const noAttributes: ReadonlyMap<string, string> = new Map();

/**
 * Read XML in one pass, well formed or not: an end tag closes the nearest open element of its name among the
 * last 64 or is ignored. Only the five entities of XML and character references are replaced, so nothing
 * expands.
 */
export function scanXml(text: string, events: XmlEvents): void {
  const scanner = new XmlScanner(withoutInternalSubset(text), events);
  scanner.scan();
}

const declarations = 256 * 1024;

/** The document without the declarations within its DOCTYPE, which a tokenizer would misread. */
function withoutInternalSubset(text: string): string {
  const start = /<!DOCTYPE[^[>]{0,2000}\[/.exec(text.slice(0, 64 * 1024));
  if (start === null) return text;
  const inside = start.index + start[0].length;
  const end = /\]\s*>/.exec(text.slice(inside, inside + declarations));
  if (end === null) return text;
  const doctype = text.slice(start.index, inside - 1);
  return `${text.slice(0, start.index)}${doctype}>${text.slice(inside + end.index + end[0].length)}`;
}

class XmlScanner implements TokenizerCallbacks {
  readonly #text: string;
  readonly #events: XmlEvents;
  readonly #open: string[] = [];
  /** Elements open beyond the depth that is remembered. */
  #deeper = 0;
  #name = '';
  #attributes: Map<string, string> | undefined;
  #attribute = '';
  #value = '';

  constructor(text: string, events: XmlEvents) {
    this.#text = text;
    this.#events = events;
  }

  scan(): void {
    const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: true }, this);
    tokenizer.write(this.#text);
    tokenizer.end();
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#text.slice(start, end);
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#text.slice(start, end);
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < maxValue)
      this.#value += this.#text.slice(start, Math.min(end, start + maxValue));
  }

  onattribentity(codepoint: number): void {
    if (this.#value.length < maxValue) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    this.#attributes ??= new Map();
    if (this.#attributes.size < maxAttributes) this.#attributes.set(this.#attribute, this.#value);
  }

  onopentagend(): void {
    if (this.#open.length >= maxDepth) this.#deeper++;
    else this.#open.push(this.#name);
    this.#events.open(this.#name, this.#attributes ?? noAttributes, this.#open.length + this.#deeper);
  }

  onselfclosingtag(): void {
    const depth = this.#open.length + this.#deeper + 1;
    this.#events.open(this.#name, this.#attributes ?? noAttributes, depth);
    this.#events.close(this.#name, depth);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#text.slice(start, end);
    if (this.#deeper > 0) {
      this.#deeper--;
      return;
    }
    const lowest = Math.max(0, this.#open.length - maxLookBack);
    let at = this.#open.length - 1;
    while (at >= lowest && this.#open[at] !== name) at--;
    if (at < lowest) return;
    while (this.#open.length > at) {
      const depth = this.#open.length;
      this.#events.close(this.#open.pop() ?? name, depth);
    }
  }

  ontext(start: number, end: number): void {
    this.#events.text(this.#text.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    this.#events.text(String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#events.text(this.#text.slice(start, end - offset));
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#events.comment?.(this.#text.slice(start, end - offset));
  }

  ondeclaration(start: number, end: number): void {
    this.#events.instruction?.(this.#text.slice(start, end));
  }

  onprocessinginstruction(start: number, end: number): void {
    this.#events.instruction?.(this.#text.slice(start, end));
  }

  onend(): void {
    while (this.#open.length > 0) {
      const depth = this.#open.length;
      this.#events.close(this.#open.pop() ?? '', depth);
    }
  }
}
