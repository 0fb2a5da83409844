import type { ManualPage } from './manual-page.ts';
import { MdocWords, mdocMacros } from './mdoc-words.ts';
import type { TroffSink } from './troff-reader.ts';

/** Strings that the mdoc macros define (mdoc(7)). */
export const mdocStrings: Readonly<Record<string, string>> = {
  Lq: '“',
  Rq: '”',
  lq: '“',
  rq: '”',
  Aq: "'",
  Ba: '|',
  Am: '&',
  Ge: '≥',
  Le: '≤',
  Gt: '>',
  Lt: '<',
  Ne: '≠',
  If: '∞',
  Pi: 'π',
};

const wholeLines: ReadonlySet<string> = new Set(
  'Dd Dt Os Sh Ss Pp Lp Nd Bl El It Bd Ed D1 Dl Rs Re Bk Ek Sm Bf Ef Ud Fo Fc Ex Rv Hf Tg'.split(' '),
);
// Inline macros that handle their words in a way of their own.
const special: ReadonlySet<string> = new Set(['Nm', 'Xr', 'Fn', 'Lk', 'Mt', 'Ns', 'Ap', 'Pf', 'An']);

const punctuation = /^[.,:;)\]?!]$/;

/** Reads pages in BSD's mdoc macros (mdoc(7)), which mark the meaning of words rather than their look. */
export class MdocMacros implements TroffSink {
  readonly #page: ManualPage;
  #function: string[] | undefined;

  constructor(page: ManualPage) {
    this.#page = page;
  }

  knows(macro: string): boolean {
    return wholeLines.has(macro) || special.has(macro) || mdocMacros.has(macro);
  }

  macro(name: string, args: readonly string[]): void {
    const page = this.#page;
    const { prose } = page;
    const [first = ''] = args;
    switch (name) {
      case 'Dd':
        page.date = args.join(' ').replace(/^\$Mdocdate:\s*|\s*\$$/g, '');
        return;
      case 'Dt':
        if (first !== '') page.name = first.toLowerCase();
        if (args[1] !== undefined) page.section = args[1];
        return;
      case 'Os':
        if (first !== '') page.source = args.join(' ');
        return;
      case 'Sh':
        page.heading(this.#words(args));
        return;
      case 'Ss':
        page.subheading(this.#words(args));
        return;
      case 'Nd':
        prose.line(`- ${this.#words(args)}`);
        return;
      case 'Pp':
      case 'Lp':
      case 'Bl':
      case 'El':
      case 'Rs':
      case 'Re':
        prose.end();
        return;
      case 'It':
        prose.end();
        this.#item(this.#words(args));
        return;
      case 'Bd':
        prose.end();
        prose.fill(!/^-(?:literal|unfilled)/.test(first));
        return;
      case 'Ed':
        prose.fill(true);
        return;
      case 'D1':
      case 'Dl':
        prose.end();
        prose.line(this.#words(args));
        prose.end();
        return;
      case 'Fo':
        this.#function = [first];
        return;
      case 'Fc':
        prose.line(`${this.#function?.[0] ?? ''}(${this.#function?.slice(1).join(', ') ?? ''})`);
        this.#function = undefined;
        prose.lineBreak(false);
        return;
      case 'Ex':
        prose.line(`The ${args[1] ?? page.names.values().next().value ?? ''} utility exits 0 on success.`);
        return;
      default:
        if (name === 'Fa' && this.#function !== undefined) this.#function.push(...args);
        else if (this.#inline(name)) this.#line(name, args);
    }
  }

  #inline(name: string): boolean {
    return special.has(name) || mdocMacros.has(name);
  }

  #line(name: string, args: readonly string[]): void {
    const { prose, role } = this.#page;
    // Each form of the call, each include and prototype has a line of its own.
    if (role === 'synopsis' && (name === 'Nm' || name === 'In' || name === 'Ft' || name === 'Fn'))
      prose.end();
    const words = this.#words([name, ...args]);
    if (words !== '') prose.line(words);
  }

  #item(words: string): void {
    if (words === '') return;
    this.#page.tag(words);
    this.#page.prose.line(words);
  }

  text(line: string): void {
    this.#page.prose.line(line);
  }

  /** The text of a line of macros and their words. */
  #words(tokens: readonly string[]): string {
    const words = new MdocWords();
    let end = tokens.length;
    while (end > 1 && punctuation.test(tokens[end - 1] ?? '')) end--;
    const closings: string[] = [];
    let at = 0;
    while (at < end) {
      const name = tokens[at++] ?? '';
      if (!this.#inline(name)) {
        words.put(name);
        continue;
      }
      let until = at;
      while (until < end && !this.#inline(tokens[until] ?? '') && !punctuation.test(tokens[until] ?? ''))
        until++;
      const own = tokens.slice(at, until);
      if (special.has(name)) {
        this.#special(name, own, words);
        at = until;
        continue;
      }
      const macro = mdocMacros.get(name) ?? {};
      if (macro.around !== undefined) {
        words.open(macro.around[0]);
        closings.push(macro.around[1]);
      } else if (macro.opens !== undefined) words.open(macro.opens);
      else if (macro.closes !== undefined) words.close(macro.closes);
      else {
        if (own.length === 0 && macro.alone !== undefined) words.put(macro.alone);
        // `Fl Fl word` is a flag with two minus signs.
        if (own.length === 0 && macro.prefix !== undefined && tokens[at] === name) words.glue();
        for (const word of own) words.put(`${macro.prefix ?? ''}${word}`);
        at = until;
      }
    }
    for (const closing of closings.reverse()) words.close(closing);
    for (const mark of tokens.slice(end)) words.put(mark);
    return words.text;
  }

  #special(name: string, own: readonly string[], words: MdocWords): void {
    const page = this.#page;
    const [first = '', second] = own;
    switch (name) {
      case 'Nm':
        if (page.role === 'name' && first !== '') page.names.add(first);
        words.put(own.join(' ') || (page.names.values().next().value ?? page.name ?? ''));
        return;
      case 'Xr': {
        const reference = second === undefined ? first : `${first}(${second})`;
        if (second !== undefined && page.seeAlso.size < 200) page.seeAlso.add(reference);
        words.put([reference, ...own.slice(2)].join(' '));
        return;
      }
      case 'Fn':
        words.put(`${first}(${own.slice(1).join(', ')})`);
        return;
      case 'Lk':
      case 'Mt':
        page.text.references.add(name === 'Mt' ? `mailto:${first}` : first, true);
        words.put([...own.slice(1), first].join(' '));
        return;
      case 'An':
        if (first.startsWith('-')) return;
        page.authorsMarked = true;
        if (page.role === 'author' && page.authors.size < 64) page.authors.add(own.join(' '));
        words.put(own.join(' '));
        return;
      case 'Ns':
        words.glue();
        break;
      case 'Ap':
        words.close("'");
        words.glue();
        break;
      case 'Pf':
        words.put(first);
        words.glue();
        break;
    }
    for (const word of name === 'Pf' ? own.slice(1) : own) words.put(word);
  }

  lineBreak(blank: boolean): void {
    this.#page.prose.lineBreak(blank);
  }

  fill(on: boolean): void {
    this.#page.prose.fill(on);
  }

  row(cells: readonly string[]): void {
    this.#page.prose.line(cells.join(' '));
    this.#page.prose.end();
  }

  source(file: string): void {
    if (file !== '') this.#page.text.references.add(file, true);
  }
}
