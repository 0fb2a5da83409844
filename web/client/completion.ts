import { ask } from './ask.ts';
import type { BrokerClient } from './broker-client.ts';
import { WordList } from './word-list.ts';

const shortest = 2;

/** The word being typed at the very end of a query, or undefined. */
function lastWord(query: string): string | undefined {
  const word = /[\p{L}\p{N}_]+$/u.exec(query)?.[0];
  return word !== undefined && word.length >= shortest ? word : undefined;
}

/**
 * The rest of the word being typed, shown faintly after it (the right arrow key takes it), and possible words in a list
 * under the box (WAI-ARIA 1.2 combobox). Neither is in the box itself before it is taken, so it is never searched for by
 * accident.
 */
export class Completion {
  readonly #client: BrokerClient;
  readonly #box: HTMLInputElement;
  readonly #ghost: HTMLElement;
  readonly #list: WordList;
  #words: readonly string[] = [];
  #asking: AbortController | undefined;
  #wanted = false;

  /** `taken` is called when a word of the list was put into the box. */
  constructor(
    client: BrokerClient,
    box: HTMLInputElement,
    ghost: HTMLElement,
    list: HTMLElement,
    taken: () => void,
  ) {
    this.#client = client;
    this.#box = box;
    this.#ghost = ghost;
    this.#list = new WordList(box, list, (word) => {
      const typed = lastWord(box.value) ?? '';
      box.value = box.value.slice(0, box.value.length - typed.length) + word;
      this.close();
      taken();
      this.close();
    });
    box.addEventListener('blur', () => this.hide());
    box.addEventListener('focus', () => this.#draw(this.#rest()));
  }

  /** Show the known words for the present text; called on every key. */
  typed(): void {
    this.#wanted = true;
    this.#show();
  }

  /** No list until something is typed again. */
  close(): void {
    this.#wanted = false;
    this.#list.show([]);
  }

  /** Show nothing until something is typed. */
  hide(): void {
    this.close();
    this.#draw('');
  }

  /** Give a key to the list; false when it is closed or has no use for it. */
  key(key: string): boolean {
    if (key === 'Escape' && this.#list.isOpen) {
      this.close();
      return true;
    }
    return this.#list.key(key);
  }

  /** Ask for the words that begin as the last one does; called when typing pauses. */
  async ask(): Promise<void> {
    this.#asking?.abort();
    const word = lastWord(this.#box.value);
    if (word === undefined) return;
    const own = new AbortController();
    this.#asking = own;
    const outcome = await ask((options) => this.#client.complete(word, options), own.signal);
    // Words that go on from a longer word would hide others that the shorter one in the box may mean.
    if (outcome === undefined || !lastWord(this.#box.value)?.startsWith(word)) return;
    // A completion that fails is not reported.
    this.#words = 'answer' in outcome ? outcome.answer : [];
    this.#show();
  }

  /** Put the shown rest into the box; false when none is shown or the caret is elsewhere. */
  take(): boolean {
    const rest = this.#rest();
    if (rest === '' || this.#ghost.childElementCount === 0) return false;
    this.#box.value += rest;
    this.#draw('');
    return true;
  }

  #show(): void {
    this.#draw(this.#rest());
    const words = this.#longer();
    // A single word is shown after the caret already.
    this.#list.show(this.#wanted && words.length > 1 ? words : []);
  }

  /** The known words that go on as the last one began. */
  #longer(): readonly string[] {
    const box = this.#box;
    const word = lastWord(box.value)?.toLowerCase();
    const atEnd = box.selectionStart === box.value.length && box.selectionEnd === box.value.length;
    if (word === undefined || !atEnd || document.activeElement !== box) return [];
    return this.#words.filter((other) => other.startsWith(word) && other.length > word.length);
  }

  #rest(): string {
    const [found] = this.#longer();
    return found?.slice(lastWord(this.#box.value)?.length ?? 0) ?? '';
  }

  #draw(rest: string): void {
    const ghost = this.#ghost;
    if (rest === '' || this.#box.scrollWidth > this.#box.clientWidth) {
      ghost.replaceChildren();
      return;
    }
    const typed = document.createElement('span');
    typed.textContent = this.#box.value;
    ghost.replaceChildren(typed, rest);
    if (ghost.scrollWidth > ghost.clientWidth) ghost.replaceChildren();
  }
}
