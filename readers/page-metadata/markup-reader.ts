import type { TokenizerCallbacks } from 'htmlparser2';
import { elementsByName, StartTag } from '../html/index.ts';
import { beginning } from '../text/index.ts';
import { type Thing, ThingMaker, type Value, words } from './thing.ts';

const maxDepth = 64;
const maxText = 8 * 1024;
const wanted: ReadonlySet<string> = new Set(
  'itemscope itemtype itemprop itemid typeof property resource about content href src data value datetime'.split(
    ' ',
  ),
);
/** Elements whose end tag may be missing: the next one of the same list ends them. */
const endedByNext: ReadonlySet<string> = new Set('li dt dd td th tr option'.split(' '));
const lists: ReadonlySet<string> = new Set('ul ol dl table menu select'.split(' '));

/** Whether a page may hold microdata or RDFa; reading costs time. */
export const hasMarkup = (html: string): boolean => /itemprop=|typeof=/.test(html);

interface OpenElement {
  readonly name: string;
  /** Elements of the same name that are open inside. */
  inside: number;
  /** Lists that were open at its start. */
  readonly lists: number;
  /** The thing that the properties inside belong to. */
  readonly thing: Thing | undefined;
  /** The property whose value is the text inside, or `thing`. */
  readonly properties: readonly string[];
  readonly owner: Thing;
  /** The address of a link whose text is its name. */
  readonly href: string | undefined;
  text: string;
  readonly isText: boolean;
}

/** Reads microdata (HTML standard, chapter 5) and RDFa Lite as things; another reader shares the tokenizer. */
export class MarkupReader implements TokenizerCallbacks {
  /** Things that are no part of another. */
  readonly roots: Thing[] = [];
  readonly #html: string;
  readonly #maker = new ThingMaker();
  /** Properties outside every thing belong to the page. */
  readonly #page: Thing = { types: [], id: undefined, properties: new Map() };
  readonly #open: OpenElement[] = [];
  readonly #byName = new Map<string, OpenElement[]>();
  readonly #tag: StartTag;
  #empty = false;
  #lists = 0;
  #silent = false;

  constructor(html: string) {
    this.#html = html;
    this.#tag = new StartTag(html, wanted, maxText);
  }

  ontext(start: number, end: number): void {
    if (this.#open.length > 0 && !this.#silent)
      this.#add(this.#html.slice(start, Math.min(end, start + maxText)));
  }

  ontextentity(codepoint: number): void {
    if (this.#open.length > 0 && !this.#silent) this.#add(String.fromCodePoint(codepoint));
  }

  #add(text: string): void {
    for (const open of this.#open) if (open.isText && open.text.length < maxText) open.text += text;
  }

  /** The value of a list is its items, divided by commas. */
  #nextItem(): void {
    const list = this.#open.at(-1);
    if (list?.isText === true && lists.has(list.name) && list.text.trim() !== '') list.text += ', ';
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, Math.min(end, start + 32)).toLowerCase();
    this.#tag.begin(name);
    const element = elementsByName.find(this.#html, start, end);
    this.#empty = element?.empty ?? false;
    if (element?.block) this.#endParagraph();
    if (element?.block || element?.spaced || name === 'br') this.#add(' ');
    if (name === 'li') this.#nextItem();
  }

  onattribname(start: number, end: number): void {
    this.#tag.attributeName(start, end);
  }

  onattribdata(start: number, end: number): void {
    this.#tag.attributeText(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#tag.attributeCharacter(codepoint);
  }

  onattribend(): void {
    this.#tag.attributeEnd();
  }

  onopentagend(): void {
    this.#start();
  }

  onselfclosingtag(): void {
    this.#start();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, Math.min(end, start + 32)).toLowerCase();
    if (name === 'script' || name === 'style') this.#silent = false;
    const element = elementsByName.find(this.#html, start, end);
    if (element?.block && name !== 'p') this.#endParagraph();
    if (element?.block || element?.spaced) this.#add(' ');
    const innermost = this.#byName.get(name)?.at(-1);
    if (innermost !== undefined && innermost.inside > 0) innermost.inside--;
    else if (innermost !== undefined) this.#close(innermost);
    if (!lists.has(name) || this.#lists === 0) return;
    this.#lists--;
    // The end of a list ends its items.
    for (
      let last = this.#open.at(-1);
      last !== undefined && last.lists > this.#lists;
      last = this.#open.at(-1)
    )
      this.#close(last);
  }

  /** A block ends a paragraph around it whose end tag is missing. */
  #endParagraph(): void {
    const paragraph = this.#byName.get('p')?.at(-1);
    if (paragraph !== undefined) this.#close(paragraph);
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    const [outermost] = this.#open;
    if (outermost !== undefined) this.#close(outermost);
    if (this.#page.properties.size > 0) this.roots.push(this.#page);
  }

  #start(): void {
    const { name, isPlain } = this.#tag;
    if (name === 'script' || name === 'style') this.#silent = true;
    if (lists.has(name)) this.#lists++;
    const around = this.#byName.get(name)?.at(-1);
    if (around !== undefined && endedByNext.has(name) && around.lists === this.#lists) this.#close(around);
    const placed = !isPlain && this.#describe(name);
    const innermost = placed || this.#empty ? undefined : this.#byName.get(name)?.at(-1);
    if (innermost !== undefined) innermost.inside++;
  }

  /** Read an element's thing or properties; whether the element has a place among the open ones. */
  #describe(name: string): boolean {
    const values = this.#tag;
    const outer = this.#open.findLast(({ thing }) => thing !== undefined)?.thing;
    const isRdfa = values.has('typeof') || (values.has('property') && outer !== undefined);
    const properties = words(isRdfa ? values.get('property') : values.get('itemprop'));
    const owner = outer ?? this.#page;
    let thing: Thing | undefined;
    let isText = false;
    if (values.has('itemscope') || values.has('typeof')) {
      thing = this.#maker.make(words(values.get('typeof') ?? values.get('itemtype')));
      if (thing === undefined) return false;
      thing.id = values.get('itemid') ?? values.get('resource') ?? values.get('about');
      // Blogs give each post an `itemprop` of a blog that they do not describe.
      if (properties.length === 0 || outer === undefined) this.roots.push(thing);
      this.#give(owner, properties, thing);
    } else {
      if (properties.length === 0) return false;
      const written = name === 'meta' ? (values.get('content') ?? '') : this.#written(name, isRdfa);
      this.#give(owner, properties, written);
      isText = written === undefined;
    }
    if (this.#empty || this.#open.length >= maxDepth) return false;
    const href = values.get('href');
    const opened = { name, inside: 0, lists: this.#lists, thing, properties, owner, href, text: '', isText };
    this.#open.push(opened);
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [opened]);
    else same.push(opened);
    return true;
  }

  #give(owner: Thing, properties: readonly string[], value: Value | undefined): void {
    if (value === undefined || value === '') return;
    for (const property of properties) this.#maker.add(owner, property, value);
  }

  /** The value that the attributes give; undefined where the text inside is the value. */
  #written(name: string, isRdfa: boolean): string | undefined {
    const values = this.#tag;
    return (
      values.get('content') ??
      (isRdfa ? values.get('resource') : undefined) ??
      (name === 'link' || name === 'area' ? values.get('href') : undefined) ??
      values.get('src') ??
      values.get('datetime') ??
      (name === 'object' ? values.get('data') : undefined) ??
      (name === 'data' || name === 'meter' ? values.get('value') : undefined)
    );
  }

  #close(element: OpenElement): void {
    for (;;) {
      const open = this.#open.pop();
      if (open === undefined) return;
      this.#byName.get(open.name)?.pop();
      if (open.isText) this.#finish(open);
      if (open === element) return;
    }
  }

  #finish({ properties, owner, href, text }: OpenElement): void {
    const name = beginning(text.replace(/\s+/g, ' ').replaceAll(' , ', ', ').trim(), maxText);
    let value: Value = name;
    if (href !== undefined) {
      // The words of a link name a thing that has its address.
      const linked = this.#maker.make();
      if (linked === undefined) return;
      linked.id = href;
      if (name !== '') this.#maker.add(linked, 'name', name);
      value = linked;
    }
    this.#give(owner, properties, value);
  }
}
