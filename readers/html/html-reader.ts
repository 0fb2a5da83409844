import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import {
  beginning,
  isNameHeading,
  keptLines,
  oneLine,
  type ReferenceCollector,
  type TextBlocks,
} from '../text/index.ts';
import {
  Attribute,
  type AttributeId,
  attributeCount,
  attributesByName,
  boilerplateRoles,
  type Element,
  elementsByName,
  isHidden,
  permalinkClass,
  Region,
} from './html-elements.ts';
import { OpenElements } from './open-elements.ts';
import { PageHeadings } from './page-headings.ts';
import { PageRelations } from './page-relations.ts';
import { TeeHandler } from './tee-handler.ts';

const maxAttributeLength = 64 * 1024;
const maxHeadingLength = 1000;
const maxLineSearched = 8 * 1024;

/**
 * Reads HTML in one pass over htmlparser2's tokenizer, which follows the HTML standard's tokens; there is no
 * tree. Only open elements whose end matters are recorded, so that every start and end tag costs constant
 * time at any nesting.
 */
export class HtmlReader implements TokenizerCallbacks {
  readonly relations: PageRelations;
  readonly references: ReferenceCollector;
  readonly headings = new PageHeadings();
  title: string | undefined;
  language: string | undefined;
  /** The first line with words; that of the page's navigation only counts without another. */
  firstLine: string | undefined;
  boilerplateLine: string | undefined;
  /** Whether text was left out because an attribute hides it, or was meant for browsers without scripts. */
  hasHidden = false;

  readonly #html: string;
  readonly #blocks: TextBlocks;
  /** XHTML: every self-closing tag closes. */
  readonly #selfClosing: boolean;
  readonly #showHidden: boolean;

  // The start tag being read.
  #element: Element | undefined;
  #attribute: AttributeId | -1 = -1;
  #value = '';
  readonly #values: (string | undefined)[] = new Array<string | undefined>(attributeCount).fill(undefined);
  #haveValues = false;
  readonly #open = new OpenElements();

  // The current block of text: finished lines, then the text since.
  #lines = '';
  #run = '';
  #headingText = '';
  #titleText: string | undefined;
  #collecting = true;
  #bodySeen = false;
  /** Inside an anchor that only marks a place: `skip` leaves all its text out, `mark` a lone sign. */
  #anchor: 'none' | 'skip' | 'mark' = 'none';

  /** `selfClosing`: XHTML. `showHidden`: read also what attributes hide and what is for browsers without scripts. */
  constructor(html: string, blocks: TextBlocks, selfClosing = false, showHidden = false) {
    this.#html = html;
    this.#blocks = blocks;
    this.#selfClosing = selfClosing;
    this.#showHidden = showHidden;
    this.relations = new PageRelations(html);
    this.references = this.relations.references;
  }

  /** Read the whole page; the readers `beside` receive the same tokens. */
  read(...beside: readonly TokenizerCallbacks[]): void {
    const callbacks = beside.reduce<TokenizerCallbacks>((all, one) => new TeeHandler(all, one), this);
    const tokenizer = new Tokenizer({ recognizeSelfClosing: this.#selfClosing }, callbacks);
    tokenizer.write(this.#html);
    tokenizer.end();
  }

  isInForeignContext(): boolean {
    return this.#open.foreign > 0;
  }

  ontext(start: number, end: number): void {
    if (this.#titleText !== undefined) {
      if (this.#titleText.length < maxAttributeLength) this.#titleText += this.#html.slice(start, end);
    } else if (this.#reads) {
      if (this.#anchor === 'mark' && end - start === 1 && /[\xb6\xa7#]/.test(this.#html.charAt(start)))
        return;
      // White space alone begins no block; most text between tags is white space.
      let from = start;
      if (this.#run === '') while (from < end && this.#html.charCodeAt(from) <= 32) from++;
      if (from < end) this.#run += this.#html.slice(from, end);
    } else if (this.#open.hidden === 0 && this.#anchor !== 'skip' && /\S/.test(this.#html.slice(start, end)))
      this.headings.text();
  }

  ontextentity(codepoint: number): void {
    if (this.#titleText !== undefined) {
      if (this.#titleText.length < maxAttributeLength) this.#titleText += String.fromCodePoint(codepoint);
    } else if (this.#reads) {
      if (this.#anchor === 'mark' && (codepoint === 0xb6 || codepoint === 0xa7)) return;
      this.#run += String.fromCodePoint(codepoint);
    }
  }

  get #reads(): boolean {
    return this.#open.hidden === 0 && this.#anchor !== 'skip' && (this.#collecting || this.#open.heading > 0);
  }

  oncdata(start: number, end: number, offset: number): void {
    if (this.#open.foreign > 0) this.ontext(start, end - offset);
  }

  onopentagname(start: number, end: number): void {
    this.#element = elementsByName.find(this.#html, start, end);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = -1;
    const wanted = this.#element?.attributes ?? 0;
    if (wanted === 0) return;
    const attribute = attributesByName.find(this.#html, start, end);
    if (attribute !== undefined && (wanted & (1 << attribute)) !== 0) this.#attribute = attribute;
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute >= 0 && this.#value.length < maxAttributeLength)
      this.#value += beginning(this.#html.slice(start, end), maxAttributeLength);
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute >= 0 && this.#value.length < maxAttributeLength)
      this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attribute < 0) return;
    this.#values[this.#attribute] ??= this.#value;
    this.#haveValues = true;
    this.#value = '';
    this.#attribute = -1;
  }

  onopentagend(end: number): void {
    const element = this.#element;
    if (element === undefined) return;
    this.#start(element, end + 1);
    this.#element = undefined;
    if (this.#haveValues) {
      this.#values.fill(undefined);
      this.#haveValues = false;
    }
  }

  onselfclosingtag(end: number): void {
    const element = this.#element;
    this.onopentagend(end);
    if (element !== undefined && !element.empty && (this.#selfClosing || this.#open.foreign > 0))
      this.#end(element);
  }

  onclosetag(start: number, end: number): void {
    const element = elementsByName.find(this.#html, start, end);
    if (element === undefined) return;
    if (element.name === 'script') this.relations.endScript(start - 2);
    this.#end(element);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.relations.endScript(this.#html.length);
    this.#endTitle();
    this.#endBlock();
    while (this.#open.innermost !== undefined) this.#pop();
  }

  #start(element: Element, end: number): void {
    if (element.empty) {
      this.#startEmpty(element, end);
      return;
    }
    // A page's own elements end a drawing that was never closed.
    if (this.#open.foreign > 0 && element.block) while (this.#open.foreign > 0) this.#pop();
    while (element.ends.has(this.#open.innermost?.name ?? '')) this.#pop();
    if (element.block) {
      this.#endBlock();
      this.#bodySeen = true;
    } else if (element.spaced) this.#space();

    switch (element.name) {
      case 'a':
        this.#startAnchor(end);
        break;
      case 'time':
        if (this.#open.inert === 0 && this.#open.boilerplate === 0) this.relations.time(this.#values, end);
        break;
      case 'script':
        this.relations.startScript(this.#values, end);
        break;
      case 'title':
        if (this.#open.foreign === 0) this.#titleText = '';
        return;
      case 'html':
      case 'body':
        this.language ||= this.#values[Attribute.lang];
        return;
      case 'iframe':
      case 'object':
        this.#refer(this.#values[Attribute.src]);
        break;
    }

    const regions = this.#regionsOf(element);
    if (this.#haveValues && this.#open.hidden === 0 && (regions & Region.hidden) === 0)
      this.headings.startTag(this.#values, element, this.#open.heading > 0);
    if (element.block || element.spaced || regions !== 0 || this.#open.has(element))
      this.#open.push(element, regions);
  }

  #regionsOf(element: Element): number {
    let regions = element.regions;
    if (
      (regions & Region.boilerplate) !== 0 &&
      this.#open.sectioning > 0 &&
      /^(?:head|foot)er$/.test(element.name)
    )
      regions &= ~Region.boilerplate;
    const values = this.#values;
    const name = element.name;
    if (name === 'dialog' && values[Attribute.open] === undefined) regions |= this.#hidden();
    if (name === 'noscript' && this.#hidden() === 0) regions &= ~Region.hidden;
    if (!this.#haveValues) return regions;
    if (name === 'template' && values[Attribute.shadowRoot] !== undefined) return 0;
    if (isHidden(values, !element.block && !element.spaced)) regions |= this.#hidden();
    const role = values[Attribute.role];
    if (role !== undefined && boilerplateRoles.has(role.trim().toLowerCase())) regions |= Region.boilerplate;
    return regions;
  }

  #hidden(): number {
    this.hasHidden = true;
    return this.#showHidden ? 0 : Region.hidden;
  }

  #startEmpty(element: Element, end: number): void {
    switch (element.name) {
      case 'br':
        this.#breakLine();
        break;
      case 'hr':
        this.#endBlock();
        break;
      case 'img':
        this.#image();
        break;
      case 'area':
        if (this.#open.inert === 0) this.relations.anchor(this.#values, end);
        break;
      case 'frame':
      case 'embed':
        this.#refer(this.#values[Attribute.src]);
        break;
      case 'base':
        this.relations.base ??= this.#values[Attribute.href];
        break;
      case 'link':
        if (this.#open.inert === 0) this.relations.link(this.#values, !this.#bodySeen);
        break;
      case 'meta':
        if (this.#open.inert === 0) this.relations.meta(this.#values);
        break;
    }
  }

  #startAnchor(end: number): void {
    const href = this.#values[Attribute.href];
    this.#anchor = 'none';
    if (permalinkClass.test(this.#values[Attribute.class] ?? '')) this.#anchor = 'skip';
    else if (href?.startsWith('#')) this.#anchor = 'mark';
    if (this.#open.inert === 0) this.relations.anchor(this.#values, end);
  }

  #refer(written: string | undefined): void {
    if (written !== undefined && this.#open.inert === 0) this.references.add(written, true);
  }

  #image(): void {
    const alt = this.#values[Attribute.alt];
    if (alt === undefined || alt === '' || this.#open.hidden > 0 || this.#anchor === 'skip') return;
    if (this.#showHidden || !isHidden(this.#values, true)) this.#run += ` ${alt} `;
  }

  #end(element: Element): void {
    if (element.name === 'title') {
      this.#endTitle();
      return;
    }
    if (element.name === 'br') {
      this.#breakLine();
      return;
    }
    if (element.name === 'a') this.#anchor = 'none';
    if (element.empty) return;
    if (this.#open.leaveBeyond(element)) {
      this.#endBlock();
      return;
    }
    // An end tag that matches nothing is skipped at once; one that matches ends everything inside.
    if (!this.#open.has(element)) {
      if (element.block) this.#endBlock();
      return;
    }
    while (this.#open.innermost !== element) this.#pop();
    this.#pop();
  }

  #pop(): void {
    const element = this.#open.innermost;
    if (element?.block) this.#endBlock();
    else if (element?.spaced) this.#space();
    const wasHeading = this.#open.heading > 0;
    const wasBoilerplate = this.#open.boilerplate > 0;
    this.#open.pop();
    if (wasHeading && this.#open.heading === 0) this.#endHeading(wasBoilerplate);
  }

  #endTitle(): void {
    if (this.#titleText === undefined) return;
    const title = oneLine(this.#titleText);
    if (title !== '') this.title ??= title;
    this.#titleText = undefined;
  }

  #space(): void {
    if (this.#run !== '') this.#run += ' ';
  }

  #breakLine(): void {
    if (this.#open.hidden > 0 || (this.#run === '' && this.#lines === '')) return;
    this.#lines += `${this.#runText()}\n`;
    this.#run = '';
  }

  #runText(): string {
    return this.#open.preformatted > 0 ? keptLines(this.#run) : oneLine(this.#run);
  }

  #endBlock(): void {
    this.#anchor = 'none';
    if (this.#run === '' && this.#lines === '') return;
    const text =
      this.#lines === '' ? this.#runText() : (this.#lines + this.#runText()).replace(/\n{2,}/g, '\n').trim();
    this.#lines = '';
    this.#run = '';
    if (text === '') return;
    this.#bodySeen = true;
    // An unclosed heading counts only up to the length of a heading.
    const heading = this.#open.heading > 0 && this.#headingText.length < maxHeadingLength;
    if (heading) this.#headingText += this.#headingText === '' ? text : ` ${text}`;
    else this.headings.text();
    this.#blocks.add(text, this.#open.boilerplate > 0 ? 'boilerplate' : heading ? 'heading' : 'paragraph');
    this.#noteLine(text);
    this.#collecting = this.#blocks.open || this.firstLine === undefined;
  }

  #noteLine(text: string): void {
    if (this.firstLine !== undefined) return;
    const line = beginning(text, maxLineSearched)
      .split('\n')
      .find((part) => /\p{L}.*\p{L}/u.test(part) && !isNameHeading(part));
    if (this.#open.boilerplate > 0) this.boilerplateLine ??= line;
    else this.firstLine = line;
  }

  #endHeading(boilerplate: boolean): void {
    const text = beginning(oneLine(this.#headingText), maxHeadingLength);
    this.#headingText = '';
    if (text !== '') this.headings.add(text, boilerplate);
  }
}
