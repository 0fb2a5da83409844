import type { TokenizerCallbacks } from 'htmlparser2';

/** Passes the tokens of one tokenizer to two readers: tokenizing a page costs as much as reading it. */
export class TeeHandler implements TokenizerCallbacks {
  readonly #first: TokenizerCallbacks;
  readonly #second: TokenizerCallbacks;

  /** `first` decides what is foreign content, where CDATA sections are text. */
  constructor(first: TokenizerCallbacks, second: TokenizerCallbacks) {
    this.#first = first;
    this.#second = second;
  }

  isInForeignContext(): boolean {
    return this.#first.isInForeignContext?.() ?? false;
  }

  ontext(start: number, end: number): void {
    this.#first.ontext(start, end);
    this.#second.ontext(start, end);
  }

  ontextentity(codepoint: number, end: number): void {
    this.#first.ontextentity(codepoint, end);
    this.#second.ontextentity(codepoint, end);
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#first.oncdata(start, end, offset);
    this.#second.oncdata(start, end, offset);
  }

  onopentagname(start: number, end: number): void {
    this.#first.onopentagname(start, end);
    this.#second.onopentagname(start, end);
  }

  onattribname(start: number, end: number): void {
    this.#first.onattribname(start, end);
    this.#second.onattribname(start, end);
  }

  onattribdata(start: number, end: number): void {
    this.#first.onattribdata(start, end);
    this.#second.onattribdata(start, end);
  }

  onattribentity(codepoint: number): void {
    this.#first.onattribentity(codepoint);
    this.#second.onattribentity(codepoint);
  }

  onattribend(...[quote, end]: Parameters<TokenizerCallbacks['onattribend']>): void {
    this.#first.onattribend(quote, end);
    this.#second.onattribend(quote, end);
  }

  onopentagend(end: number): void {
    this.#first.onopentagend(end);
    this.#second.onopentagend(end);
  }

  onselfclosingtag(end: number): void {
    this.#first.onselfclosingtag(end);
    this.#second.onselfclosingtag(end);
  }

  onclosetag(start: number, end: number): void {
    this.#first.onclosetag(start, end);
    this.#second.onclosetag(start, end);
  }

  // Neither declarations, processing instructions nor comments are text.
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}

  onend(): void {
    this.#first.onend();
    this.#second.onend();
  }
}
