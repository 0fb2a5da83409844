const maxValue = 4000;

const wanted: ReadonlySet<string> = new Set([
  'class',
  'id',
  'role',
  'itemprop',
  'hidden',
  'style',
  'aria-hidden',
  'href',
  'name',
  'property',
  'content',
]);
const longest = 11;

/** The current start tag: its name and the attributes that the extractor looks at. */
export class StartTag {
  name = '';
  readonly #html: string;
  readonly #values = new Map<string, string>();
  #attribute = '';
  #value = '';

  constructor(html: string) {
    this.#html = html;
  }

  begin(name: string): void {
    this.name = name;
    this.#attribute = '';
    if (this.#values.size > 0) this.#values.clear();
  }

  /** The value of an attribute; empty without a value. */
  get(attribute: string): string | undefined {
    return this.#values.get(attribute);
  }

  attributeName(start: number, end: number): void {
    this.#attribute = '';
    if (end - start > longest) return;
    const name = this.#html.slice(start, end).toLowerCase();
    if (wanted.has(name)) this.#attribute = name;
  }

  attributeText(start: number, end: number): void {
    if (this.#attribute !== '' && this.#value.length < maxValue)
      this.#value += this.#html.slice(start, Math.min(end, start + maxValue));
  }

  attributeCharacter(codepoint: number): void {
    if (this.#attribute !== '' && this.#value.length < maxValue)
      this.#value += String.fromCodePoint(codepoint);
  }

  attributeEnd(): void {
    if (this.#attribute !== '' && !this.#values.has(this.#attribute))
      this.#values.set(this.#attribute, this.#value);
    this.#attribute = '';
    this.#value = '';
  }
}
