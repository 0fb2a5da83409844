const maxWords = 6;

/** Words under a box, one of which may be chosen: the listbox of a combobox (WAI-ARIA 1.2, ARIA APG). */
export class WordList {
  readonly #box: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #choose: (word: string) => void;
  #words: readonly string[] = [];
  #active = -1;

  constructor(box: HTMLInputElement, list: HTMLElement, choose: (word: string) => void) {
    this.#box = box;
    this.#list = list;
    this.#choose = choose;
    // Without scripts the box is a plain one.
    for (const [name, value] of [
      ['role', 'combobox'],
      ['aria-autocomplete', 'list'],
      ['aria-controls', list.id],
      ['aria-expanded', 'false'],
    ] as const)
      box.setAttribute(name, value);
    list.addEventListener('mousedown', (event) => {
      // The box keeps the focus.
      event.preventDefault();
      const option = event.target instanceof Element ? event.target.closest('[role=option]') : null;
      if (option?.textContent) choose(option.textContent);
    });
  }

  get isOpen(): boolean {
    return this.#words.length > 0;
  }

  /** Show these words, at most six; none closes the list. */
  show(words: readonly string[]): void {
    const next = words.slice(0, maxWords);
    if (next.length === this.#words.length && next.every((word, index) => word === this.#words[index]))
      return;
    this.#words = next;
    this.#list.replaceChildren(
      ...next.map((word, index) => {
        const option = document.createElement('li');
        option.setAttribute('role', 'option');
        option.id = `word-${index}`;
        option.textContent = word;
        return option;
      }),
    );
    this.#list.hidden = next.length === 0;
    this.#box.setAttribute('aria-expanded', String(next.length > 0));
    this.#activate(-1);
  }

  /** Arrow keys move, Enter and Tab take the word that is active; false when the key means nothing here. */
  key(key: string): boolean {
    if (!this.isOpen) return false;
    const last = this.#words.length - 1;
    if (key === 'ArrowDown' && this.#active < last) this.#activate(this.#active + 1);
    else if (key === 'ArrowUp' && this.#active >= 0) this.#activate(this.#active - 1);
    else if (key === 'Enter' || key === 'Tab') {
      const word = this.#words[this.#active];
      if (word === undefined) return false;
      this.#choose(word);
    } else return false;
    return true;
  }

  #activate(index: number): void {
    this.#active = index;
    for (const [at, option] of Array.from(this.#list.children).entries())
      option.setAttribute('aria-selected', String(at === index));
    if (index < 0) this.#box.removeAttribute('aria-activedescendant');
    else this.#box.setAttribute('aria-activedescendant', `word-${index}`);
  }
}
