import type { TokenizerCallbacks } from 'htmlparser2';
import { HtmlReader, StartTag } from '../html/index.ts';
import { articleBody, readJsonLd } from '../page-metadata/index.ts';
import { TextBlocks } from '../text/index.ts';
import { BlockWriter } from './block-writer.ts';
import { inheritedOf } from './inherited-flags.ts';
import { OpenPath } from './open-path.ts';
import { customTag, rubyReadings, type Tag, TagTrait, tagsByName } from './page-tags.ts';
import { Inherited, type PageElements, type PageTree, type TextBlock } from './page-tree.ts';
import { joinTableRows } from './table-rows.ts';
import { WordClassifier } from './word-classes.ts';

const maxElements = 1_000_000;
const maxRun = 256 * 1024;
const maxTitle = 2000;
const maxValue = 4000;
const wanted: ReadonlySet<string> = new Set(
  'class id role itemprop hidden style aria-hidden href name property content'.split(' '),
);
const maxTagNameLength = 10;
/** Common style-sheet classes that hide text for screen readers. */
const unseenClass =
  /(?:^|\s)(?:sr-only|screen-reader-(?:text|only)|visually-?hidden|assistive-text|hidden)(?:\s|$)/i;

/** Read a page. Takes time linear in the page's size. */
export function readPage(html: string): PageTree {
  const page = new PageReader(html);
  const reader = new HtmlReader(html, new TextBlocks({ text: 'none', maxTextBytes: 0 }));
  reader.read(page);
  return page.tree(articleBody(readJsonLd(reader.relations.scripts)));
}

/** Makes a `PageTree`, complete after `onend`; another reader may listen to the same tokenizer. */
export class PageReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #selfClosing: boolean;
  readonly #writer = new BlockWriter();
  readonly #classifier = new WordClassifier();
  readonly #path = new OpenPath();
  readonly #start: StartTag;
  readonly #elements: PageElements = {
    parent: [0],
    tag: [customTag.id],
    depth: [0],
    inherited: [0],
    words: [0],
    shape: [1],
    firstBlock: [0],
    endBlock: [0],
  };
  #tag: Tag | undefined;
  /** The element whose text is skipped, its nesting, and the block-level elements opened inside. */
  #silent: Tag | undefined;
  #silentDepth = 0;
  #silentBlocks = 0;
  #foreign = 0;
  #emphasis = 0;
  #cut = false;
  #blocks: TextBlock[] = [];

  #title: string | undefined;
  #titleOpen = false;
  #description = '';

  /** `selfClosing`: XHTML, where every self-closing tag closes. */
  constructor(html: string, selfClosing = false) {
    this.#html = html;
    this.#selfClosing = selfClosing;
    this.#start = new StartTag(html, wanted, maxValue);
  }

  /** The page; `articleBody`: the text of the article in its structured data. */
  tree(articleBody: string): PageTree {
    return {
      elements: this.#elements,
      blocks: this.#blocks,
      title: (this.#title ?? '').replace(/\s+/g, ' ').trim(),
      description: this.#description,
      articleBody,
      cut: this.#cut || this.#writer.cut,
    };
  }

  isInForeignContext(): boolean {
    return this.#foreign > 0;
  }

  ontext(start: number, end: number): void {
    if (this.#silent !== undefined) {
      this.#silentText(this.#html.slice(start, Math.min(end, start + maxTitle)));
      return;
    }
    const { inherited, inLink } = this.#path.innermost;
    if (this.#unseen(inherited)) return;
    // The signs of anchors that only mark a place.
    if (inLink && end - start === 1 && isPlaceMark(this.#html.charCodeAt(start))) return;
    if (this.#foreign > 0) return;
    const linked = inLink || (inherited & Inherited.button) !== 0;
    const kept = (inherited & Inherited.preformatted) !== 0;
    for (let from = start; from < end; from += maxRun) {
      if (this.#writer.full) this.#endBlock();
      this.#writer.add(this.#html, from, Math.min(end, from + maxRun), linked, this.#emphasis > 0, kept);
    }
  }

  ontextentity(codepoint: number): void {
    if (this.#silent !== undefined) {
      this.#silentText(String.fromCodePoint(codepoint));
      return;
    }
    const { inherited, inLink } = this.#path.innermost;
    if (
      this.#unseen(inherited) ||
      this.#foreign > 0 ||
      (inLink && isPlaceMark(codepoint) && codepoint !== 35)
    )
      return;
    this.#writer.addCharacter(codepoint, inLink, this.#emphasis > 0);
  }

  /** Whether an inline element hides this text; hidden blocks stay and are marked. */
  #unseen(inherited: number): boolean {
    const hidden = inherited & ~this.#path.innermostBlock.inherited & Inherited.hidden;
    return hidden !== 0;
  }

  oncdata(): void {}

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, Math.min(end, start + 64)).toLowerCase();
    this.#start.begin(name);
    this.#tag =
      (name.length <= maxTagNameLength ? tagsByName.get(name) : undefined) ??
      (name.includes('-') ? customTag : undefined);
  }

  onattribname(start: number, end: number): void {
    if (this.#tag !== undefined) this.#start.attributeName(start, end);
  }

  onattribdata(start: number, end: number): void {
    this.#start.attributeText(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#start.attributeCharacter(codepoint);
  }

  onattribend(): void {
    this.#start.attributeEnd();
  }

  onopentagend(): void {
    if (this.#tag !== undefined) this.#open(this.#tag);
  }

  onselfclosingtag(): void {
    const tag = this.#tag;
    this.onopentagend();
    if (tag !== undefined && (tag.traits & TagTrait.empty) === 0 && (this.#selfClosing || this.#foreign > 0))
      this.#close(tag);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, Math.min(end, start + 64)).toLowerCase();
    const tag = tagsByName.get(name) ?? (name.includes('-') ? customTag : undefined);
    if (tag !== undefined) this.#close(tag);
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#endBlock();
    while (this.#path.length > 1) this.#pop();
    this.#elements.endBlock[0] = this.#writer.blocks.length;
    this.#blocks = joinTableRows(this.#writer.blocks, this.#elements);
  }

  #open(tag: Tag): void {
    const isBlock = (tag.traits & TagTrait.block) !== 0;
    if (this.#silent !== undefined && !this.#leaveSilence(tag, isBlock)) return;
    if ((tag.traits & TagTrait.empty) !== 0) {
      this.#openEmpty(tag);
      return;
    }
    if ((tag.traits & (TagTrait.silent | TagTrait.foreign)) !== 0) {
      this.#beginSilence(tag);
      return;
    }
    if ((tag.traits & TagTrait.emphasis) !== 0) {
      // An icon: a name or a sign that a font turns into a picture.
      if ((inheritedOf(tag, this.#start) & Inherited.hidden) !== 0) this.#beginSilence(tag);
      else this.#emphasis++;
      return;
    }
    if (tag.name === 'html' || tag.name === 'body') return;
    if (isBlock) {
      this.#foreign = 0;
      this.#endBlock();
      for (;;) {
        const depth = this.#path.depthForStart(tag);
        if (depth === this.#path.length) break;
        this.#closeTo(depth);
      }
    } else if (tag.name === 'a' && this.#path.innermost.tag === tag) this.#pop();
    this.#push(tag, isBlock);
  }

  #push(tag: Tag, isBlock: boolean): void {
    const around = this.#path.innermost;
    const start = this.#start;
    const inherited = around.inherited | inheritedOf(tag, start);
    const inLink = around.inLink || (tag.name === 'a' && start.get('href') !== undefined);
    const words = this.#classifier.classify(namesOf(tag, start));
    if (!isBlock) {
      if (tag.name === 'a') this.#writer.startLink();
      if (words !== 0) this.#writer.startInline(words);
      if (tag.name === 'button') this.#writer.space();
      const hides = unseenClass.test(start.get('class') ?? '') ? Inherited.hidden : 0;
      const mark = start.get('class') === undefined ? undefined : this.#writer.mark;
      this.#path.push(tag, around.element, inherited | hides, inLink, mark);
      return;
    }
    const elements = this.#elements;
    const element = elements.parent.length;
    if (element >= maxElements) {
      this.#cut = true;
      this.#path.push(tag, around.element, inherited, inLink);
      return;
    }
    if (!this.#path.push(tag, element, inherited, inLink)) return;
    const parent = around.element;
    elements.parent.push(parent);
    elements.tag.push(tag.id);
    elements.depth.push((elements.depth[parent] ?? 0) + 1);
    elements.inherited.push(inherited);
    elements.words.push(words);
    elements.shape.push(shapeOf(elements.shape[parent] ?? 0, tag, start.get('class') ?? ''));
    elements.firstBlock.push(this.#writer.blocks.length);
    elements.endBlock.push(-1);
  }

  #openEmpty(tag: Tag): void {
    if (tag.name === 'br') this.#writer.breakLine(this.#path.innermostBlock.element, this.#preformatted);
    else if (tag.name === 'hr') this.#endBlock();
    else if (tag.name === 'meta') this.#meta();
  }

  #meta(): void {
    const name = (this.#start.get('property') ?? this.#start.get('name') ?? '').toLowerCase();
    const content = this.#start.get('content') ?? '';
    if (name !== 'description' && name !== 'og:description') return;
    if (content.length > this.#description.length) this.#description = content;
  }

  #beginSilence(tag: Tag): void {
    this.#silent = tag;
    this.#silentDepth = 1;
    this.#silentBlocks = 0;
    if (tag.name === 'title') this.#titleOpen = this.#title === undefined;
    else if (tag.name === 'svg') this.#foreign = 1;
  }

  /** Whether a start tag inside a silent element ends it, as when it was never closed. */
  #leaveSilence(tag: Tag, isBlock: boolean): boolean {
    if (
      rubyReadings.has(this.#silent?.name ?? '') &&
      (isBlock || rubyReadings.has(tag.name) || tag.name === 'rb')
    ) {
      this.#endSilence();
      return true;
    }
    if (tag === this.#silent) this.#silentDepth++;
    if (isBlock && (this.#silent?.name === 'select' || this.#silent?.name === 'svg')) {
      this.#endSilence();
      return true;
    }
    if (isBlock && (tag.traits & TagTrait.empty) === 0) this.#silentBlocks++;
    return false;
  }

  #silentText(text: string): void {
    if (this.#titleOpen) this.#title = (this.#title ?? '') + text;
  }

  #endSilence(): void {
    this.#titleOpen = false;
    this.#silent = undefined;
    this.#foreign = 0;
  }

  #close(tag: Tag): void {
    if (this.#silent !== undefined) {
      if (tag === this.#silent) {
        if (--this.#silentDepth === 0) this.#endSilence();
        return;
      }
      // The end of an element around the silent one ends the silent one.
      const endsReading = tag.name === 'ruby' && rubyReadings.has(this.#silent.name);
      if (!endsReading && ((tag.traits & TagTrait.block) === 0 || --this.#silentBlocks >= 0)) return;
      this.#endSilence();
    }
    if ((tag.traits & TagTrait.emphasis) !== 0) {
      if (this.#emphasis > 0) this.#emphasis--;
      return;
    }
    if ((tag.traits & TagTrait.block) !== 0) this.#endBlock();
    else if (tag.name === 'br') this.#openEmpty(tag);
    const depth = this.#path.depthForEnd(tag);
    if (depth !== undefined) this.#closeTo(depth);
  }

  #closeTo(depth: number): void {
    while (this.#path.length > depth) this.#pop();
  }

  #pop(): void {
    const innermost = this.#path.innermost;
    if ((innermost.tag.traits & TagTrait.block) !== 0) {
      this.#endBlock();
      const { endBlock } = this.#elements;
      this.#path.pop();
      if (this.#path.innermost.element !== innermost.element)
        endBlock[innermost.element] = this.#writer.blocks.length;
    } else {
      this.#path.pop();
      if (innermost.mark !== undefined)
        this.#writer.endInline(innermost.mark, this.#path.innermostBlock.element);
    }
  }

  get #preformatted(): boolean {
    return (this.#path.innermost.inherited & Inherited.preformatted) !== 0;
  }

  #endBlock(): void {
    this.#emphasis = 0;
    this.#writer.end(this.#path.innermostBlock.element, this.#preformatted);
  }
}

function isPlaceMark(code: number): boolean {
  return code === 0xb6 || code === 0xa7 || code === 35;
}

function namesOf(tag: Tag, start: StartTag): string {
  const className = start.get('class');
  const id = start.get('id');
  let names = className ?? '';
  if (id !== undefined) names += ` ${id}`;
  if (tag === customTag) names += ` ${start.name}`;
  return names;
}

/** Equal for elements from one template: numbers in names do not count. */
function shapeOf(around: number, tag: Tag, className: string): number {
  let hash = Math.imul(around, 31) + tag.id + 1;
  for (let at = 0; at < className.length && at < 200; at++) {
    const code = className.charCodeAt(at);
    if (code < 48 || code > 57) hash = (Math.imul(hash, 31) + code) | 0;
  }
  return hash & 0x3fffffff;
}
