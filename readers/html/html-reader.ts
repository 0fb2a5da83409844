import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { beginning, keptLines, oneLine, ReferenceCollector, type TextBlocks } from '../text/index.ts';
import {
  Attribute,
  type AttributeId,
  attributeCount,
  attributesByName,
  boilerplateRoles,
  type Element,
  elementsByName,
  followedRelations,
  permalinkClass,
  Region,
} from './html-elements.ts';
import { OpenElements } from './open-elements.ts';
import { TeeHandler } from './tee-handler.ts';

const maxAttributeLength = 64 * 1024;
const maxHeadings = 5000;
const maxHeadingLength = 1000;
const maxMetas = 1000;

/** One `meta` element: its name (or http-equiv) in lower case and its content. */
export interface Meta {
  readonly name: string;
  readonly content: string;
}

/**
 * Reads HTML in one pass over htmlparser2's tokenizer, which follows the HTML standard's tokens; there is no
 * tree. Only open elements whose end matters are recorded, so that every start and end tag costs constant
 * time at any nesting.
 */
export class HtmlReader implements TokenizerCallbacks {
  readonly references = new ReferenceCollector();
  readonly metas: Meta[] = [];
  /** Headings outside boilerplate and those inside it, each as one line. */
  readonly headings: string[] = [];
  readonly boilerplateHeadings: string[] = [];
  title: string | undefined;
  firstHeading: string | undefined;
  language: string | undefined;
  /** As written. */
  base: string | undefined;
  canonical: string | undefined;

  readonly #html: string;
  readonly #blocks: TextBlocks;
  /** XHTML: every self-closing tag closes. */
  readonly #selfClosing: boolean;

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
  #collecting: boolean;
  #bodySeen = false;
  /** Inside an anchor that only marks a place: `skip` leaves all its text out, `mark` a lone sign. */
  #anchor: 'none' | 'skip' | 'mark' = 'none';

  constructor(html: string, blocks: TextBlocks, selfClosing = false) {
    this.#html = html;
    this.#blocks = blocks;
    this.#collecting = blocks.open;
    this.#selfClosing = selfClosing;
  }

  /** Read the whole page; `beside` receives the same tokens. */
  read(beside?: TokenizerCallbacks): void {
    const callbacks = beside === undefined ? this : new TeeHandler(this, beside);
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
    } else if (
      this.#open.hidden === 0 &&
      this.#anchor !== 'skip' &&
      (this.#collecting || this.#open.heading > 0)
    ) {
      if (this.#anchor === 'mark' && end - start === 1 && /[\xb6\xa7#]/.test(this.#html.charAt(start)))
        return;
      // White space alone begins no block; most text between tags is white space.
      let from = start;
      if (this.#run === '') while (from < end && this.#html.charCodeAt(from) <= 32) from++;
      if (from < end) this.#run += this.#html.slice(from, end);
    }
  }

  ontextentity(codepoint: number): void {
    if (this.#titleText !== undefined) {
      if (this.#titleText.length < maxAttributeLength) this.#titleText += String.fromCodePoint(codepoint);
    } else if (
      this.#open.hidden === 0 &&
      this.#anchor !== 'skip' &&
      (this.#collecting || this.#open.heading > 0)
    ) {
      if (this.#anchor === 'mark' && (codepoint === 0xb6 || codepoint === 0xa7)) return;
      this.#run += String.fromCodePoint(codepoint);
    }
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

  onopentagend(): void {
    const element = this.#element;
    if (element === undefined) return;
    this.#start(element);
    this.#element = undefined;
    if (this.#haveValues) {
      this.#values.fill(undefined);
      this.#haveValues = false;
    }
  }

  onselfclosingtag(): void {
    const element = this.#element;
    this.onopentagend();
    if (element !== undefined && !element.empty && (this.#selfClosing || this.#open.foreign > 0))
      this.#end(element);
  }

  onclosetag(start: number, end: number): void {
    const element = elementsByName.find(this.#html, start, end);
    if (element !== undefined) this.#end(element);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#endTitle();
    this.#endBlock();
    while (this.#open.innermost !== undefined) this.#pop();
  }

  #start(element: Element): void {
    if (element.empty) {
      this.#startEmpty(element);
      return;
    }
    // A page's own elements end a drawing that was never closed.
    if (this.#open.foreign > 0 && element.block) this.#leaveForeign();
    while (element.ends.has(this.#open.innermost?.name ?? '')) this.#pop();
    if (element.block) {
      this.#endBlock();
      this.#bodySeen = true;
    } else if (element.spaced) this.#space();

    switch (element.name) {
      case 'a':
        this.#startAnchor();
        break;
      case 'title':
        if (this.#open.foreign === 0) this.#titleText = '';
        return;
      case 'html':
        this.language ??= this.#values[Attribute.lang];
        return;
      case 'body':
        return;
      case 'iframe':
        this.#refer(this.#values[Attribute.src], true);
        break;
    }

    const regions = this.#regionsOf(element);
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
    if (!this.#haveValues) return regions;
    if (this.#values[Attribute.hidden] !== undefined) regions |= Region.hidden;
    const role = this.#values[Attribute.role];
    if (role !== undefined && boilerplateRoles.has(role.trim().toLowerCase())) regions |= Region.boilerplate;
    return regions;
  }

  #startEmpty(element: Element): void {
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
        this.#refer(this.#values[Attribute.href], this.#mayFollow());
        break;
      case 'frame':
        this.#refer(this.#values[Attribute.src], true);
        break;
      case 'base':
        this.base ??= this.#values[Attribute.href];
        break;
      case 'link':
        this.#relation();
        break;
      case 'meta':
        this.#meta();
        break;
    }
  }

  #startAnchor(): void {
    const href = this.#values[Attribute.href];
    this.#anchor = 'none';
    if (permalinkClass.test(this.#values[Attribute.class] ?? '')) this.#anchor = 'skip';
    else if (href?.startsWith('#')) this.#anchor = 'mark';
    this.#refer(href, this.#mayFollow());
  }

  #mayFollow(): boolean {
    const rel = this.#values[Attribute.rel];
    return rel === undefined || !/(?:^|\s)nofollow(?:\s|$)/i.test(rel);
  }

  #refer(written: string | undefined, follow: boolean): void {
    if (written !== undefined && this.#open.inert === 0) this.references.add(written, follow);
  }

  #relation(): void {
    const href = this.#values[Attribute.href];
    const relations = (this.#values[Attribute.rel] ?? '').toLowerCase().split(/\s+/, 16);
    if (href === undefined || this.#open.inert > 0) return;
    if (relations.includes('canonical') && !this.#bodySeen) this.canonical ??= href;
    const type = this.#values[Attribute.type];
    const page = type === undefined || /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type);
    if (page && !relations.includes('stylesheet') && relations.some((name) => followedRelations.has(name)))
      this.#refer(href, !relations.includes('nofollow'));
  }

  #meta(): void {
    const name = this.#values[Attribute.name] ?? this.#values[Attribute.httpEquiv];
    const content = this.#values[Attribute.content];
    if (name === undefined || content === undefined || this.#open.inert > 0) return;
    if (this.metas.length < maxMetas) this.metas.push({ name: name.trim().toLowerCase(), content });
  }

  #image(): void {
    const alt = this.#values[Attribute.alt];
    if (alt === undefined || alt === '' || this.#open.hidden > 0 || this.#anchor === 'skip') return;
    if (this.#values[Attribute.hidden] === undefined) this.#run += ` ${alt} `;
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

  #leaveForeign(): void {
    while (this.#open.foreign > 0) this.#pop();
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
    this.#blocks.add(text, this.#open.boilerplate > 0 ? 'boilerplate' : heading ? 'heading' : 'paragraph');
    this.#collecting = this.#blocks.open;
  }

  #endHeading(boilerplate: boolean): void {
    const text = beginning(oneLine(this.#headingText), maxHeadingLength);
    this.#headingText = '';
    if (text === '') return;
    this.firstHeading ??= text;
    const list = boilerplate ? this.boilerplateHeadings : this.headings;
    if (list.length < maxHeadings) list.push(text);
  }
}
