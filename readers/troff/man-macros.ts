import type { ManualPage } from './manual-page.ts';
import type { TroffSink } from './troff-reader.ts';

// Macros that set their arguments in fonts; those of two letters alternate fonts without spaces between.
const fonts: ReadonlySet<string> = new Set(['B', 'I', 'R', 'SM', 'SB', 'CW']);
const alternating: ReadonlySet<string> = new Set(['BI', 'BR', 'IB', 'IR', 'RB', 'RI', 'CB', 'CR', 'CI']);
const others: ReadonlySet<string> = new Set(
  'TH SH SS TP TQ IP PP P LP HP RS RE UR UE MT ME MR SY YS OP EX EE Vb Ve DT PD UC AT Sp IX'.split(' '),
);

const maxTag = 200;

/** Strings that the man macros define (groff_man(7)). */
export const manStrings: Readonly<Record<string, string>> = {
  lq: '“',
  rq: '”',
  R: '®',
  Tm: '™',
  S: '',
  // pod2man's, should the page's own definitions have been cut away.
  'C+': 'C++',
};

/** Reads pages in the man macros (man(7), groff_man(7), with pod2man's verbatim blocks). */
export class ManMacros implements TroffSink {
  readonly #page: ManualPage;
  /** The role of the next text: the words of a tag, a heading, or the argument of a font macro. */
  #expecting: 'tag' | 'heading' | 'subheading' | undefined;
  #link: string | undefined;

  constructor(page: ManualPage) {
    this.#page = page;
  }

  knows(macro: string): boolean {
    return fonts.has(macro) || alternating.has(macro) || others.has(macro);
  }

  text(line: string): void {
    switch (this.#expecting) {
      case 'tag':
        this.#expecting = undefined;
        this.#tag(line);
        break;
      case 'heading':
        this.#expecting = undefined;
        this.#page.heading(line);
        break;
      case 'subheading':
        this.#expecting = undefined;
        this.#page.subheading(line);
        break;
      default:
        this.#page.prose.line(line);
    }
  }

  #tag(words: string): void {
    this.#page.tag(words);
    this.#page.prose.line(words);
  }

  macro(name: string, args: readonly string[]): void {
    if (fonts.has(name)) {
      if (args.length > 0) this.text(args.join(' '));
      return;
    }
    if (alternating.has(name)) {
      if (args.length > 0) this.text(args.join(''));
      return;
    }
    const { prose } = this.#page;
    switch (name) {
      case 'TH':
        this.#title(args);
        break;
      case 'SH':
      case 'SS':
        this.#expecting = undefined;
        if (args.length === 0) this.#expecting = name === 'SH' ? 'heading' : 'subheading';
        else if (name === 'SH') this.#page.heading(args.join(' '));
        else this.#page.subheading(args.join(' '));
        break;
      case 'TP':
        prose.end();
        this.#expecting = 'tag';
        break;
      case 'TQ':
        this.#expecting = 'tag';
        break;
      case 'IP':
      case 'HP':
        prose.end();
        this.#expecting = undefined;
        if (name === 'IP' && args[0] !== undefined) this.#tag(args[0]);
        break;
      case 'PP':
      case 'P':
      case 'LP':
      case 'RE':
      case 'Sp':
        this.#expecting = undefined;
        prose.end();
        break;
      case 'RS': {
        // DocBook's pages write an option as a paragraph and indent its explanation.
        const words = prose.pending(maxTag);
        if (/^-{1,2}[\w?]/.test(words)) this.#page.tag(words);
        this.#expecting = undefined;
        prose.end();
        break;
      }
      case 'EX':
      case 'Vb':
        prose.fill(false);
        break;
      case 'EE':
      case 'Ve':
        prose.fill(true);
        break;
      case 'UR':
      case 'MT':
        this.#link = args[0];
        if (args[0] !== undefined)
          this.#page.text.references.add(name === 'MT' ? `mailto:${args[0]}` : args[0], true);
        break;
      case 'UE':
      case 'ME':
        if (this.#link !== undefined) prose.line(`<${this.#link}>${args[0] ?? ''}`);
        this.#link = undefined;
        break;
      case 'MR':
        this.text(`${args[0] ?? ''}(${args[1] ?? ''})${args[2] ?? ''}`);
        break;
      case 'SY':
        prose.end();
        this.text(args.join(' '));
        break;
      case 'YS':
        prose.end();
        break;
      case 'OP':
        this.text(`[${args.join(' ')}]`);
        break;
      default:
        // Some pages use paragraph macros of other packages; a break loses nothing.
        break;
    }
  }

  /** `.TH title section date source manual`. */
  #title(args: readonly string[]): void {
    const [name, section, date, source] = args;
    const page = this.#page;
    if (page.name !== undefined) return;
    if (name !== undefined && name !== '') page.name = /\p{Ll}/u.test(name) ? name : name.toLowerCase();
    if (section !== undefined && section !== '') page.section = section;
    if (date !== undefined) page.date = date;
    if (source !== undefined) page.source = source;
  }

  lineBreak(blank: boolean): void {
    if (this.#expecting !== 'tag') this.#page.prose.lineBreak(blank);
  }

  fill(on: boolean): void {
    this.#page.prose.fill(on);
  }

  row(cells: readonly string[]): void {
    this.#page.prose.end();
    this.#page.prose.line(cells.join(' '));
    this.#page.prose.end();
    const [first] = cells;
    if (first !== undefined && /^-{1,2}\w/.test(first)) this.#page.tag(first);
  }

  source(file: string): void {
    if (file === '') return;
    // Sources are named from the top of the manual's tree, one folder above the page (man(1)).
    if (/^man\w+\/[^/]+$/.test(file)) {
      this.#page.text.references.add(`../${file}`, true);
      const page = /\/([^/]+?)\.(\d\w*)(?:\.gz)?$/.exec(file);
      if (page !== null) this.#page.seeAlso.add(`${page[1]}(${page[2]})`);
    } else this.#page.text.references.add(file, true);
  }
}
