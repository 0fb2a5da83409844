import { readWords } from './answers.ts';
import { ask } from './ask.ts';

const shortest = 2;

/** The word being typed at the very end of a query, or undefined. */
function lastWord(query: string): string | undefined {
  const word = /[\p{L}\p{N}_]+$/u.exec(query)?.[0];
  return word !== undefined && word.length >= shortest ? word : undefined;
}

/**
 * The rest of the word being typed, shown faintly behind it; the right arrow key takes it. It never stands in the
 * box itself, so it can never be searched for by accident.
 */
export class Completion {
  readonly #box: HTMLInputElement;
  readonly #ghost: HTMLElement;
  #words: readonly string[] = [];
  #asking: AbortController | undefined;

  constructor(box: HTMLInputElement, ghost: HTMLElement) {
    this.#box = box;
    this.#ghost = ghost;
    box.addEventListener('blur', () => this.#draw(''));
    box.addEventListener('focus', () => this.#draw(this.#rest()));
  }

  /** Show what is known for the text as it stands now; called on every key. */
  typed(): void {
    this.#draw(this.#rest());
  }

  /** Ask for the words that begin as the last one does; called when typing pauses. */
  async ask(): Promise<void> {
    this.#asking?.abort();
    const word = lastWord(this.#box.value);
    if (word === undefined) return;
    const own = new AbortController();
    this.#asking = own;
    const outcome = await ask(`complete?q=${encodeURIComponent(word)}`, readWords, own.signal);
    if (outcome === undefined) return;
    // A completion that fails is no trouble worth a word.
    this.#words = 'answer' in outcome ? outcome.answer : [];
    this.#draw(this.#rest());
  }

  /** Put the shown rest into the box; false when none is shown or the caret stands elsewhere. */
  take(): boolean {
    const rest = this.#rest();
    if (rest === '' || this.#ghost.childElementCount === 0) return false;
    this.#box.value += rest;
    this.#draw('');
    return true;
  }

  #rest(): string {
    const box = this.#box;
    const word = lastWord(box.value)?.toLowerCase();
    const atEnd = box.selectionStart === box.value.length && box.selectionEnd === box.value.length;
    if (word === undefined || !atEnd || document.activeElement !== box) return '';
    const found = this.#words.find((other) => other.startsWith(word) && other.length > word.length);
    return found?.slice(word.length) ?? '';
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
