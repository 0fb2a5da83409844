/** The current start tag of a page: its name and the attributes that its reader looks at. */
export class StartTag {
  name = '';
  readonly #html: string;
  readonly #wanted: ReadonlySet<string>;
  readonly #maxValue: number;
  readonly #longest: number;
  readonly #values = new Map<string, string>();
  #attribute = '';
  #value = '';

  /** `wanted`: names of attributes in lower case; `maxValue`: about how many characters of a value are kept. */
  constructor(html: string, wanted: ReadonlySet<string>, maxValue: number) {
    this.#html = html;
    this.#wanted = wanted;
    this.#maxValue = maxValue;
    this.#longest = Math.max(...[...wanted].map((name) => name.length));
  }

  begin(name: string): void {
    this.name = name;
    this.#attribute = '';
    if (this.#values.size > 0) this.#values.clear();
  }

  /** Whether it has none of the attributes. */
  get isPlain(): boolean {
    return this.#values.size === 0;
  }

  has(attribute: string): boolean {
    return this.#values.has(attribute);
  }

  /** The value of an attribute; empty without a value. */
  get(attribute: string): string | undefined {
    return this.#values.get(attribute);
  }

  attributeName(start: number, end: number): void {
    this.#attribute = '';
    if (end - start > this.#longest) return;
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#wanted.has(name)) this.#attribute = name;
  }

  attributeText(start: number, end: number): void {
    if (this.#attribute !== '' && this.#value.length < this.#maxValue)
      this.#value += this.#html.slice(start, Math.min(end, start + this.#maxValue));
  }

  attributeCharacter(codepoint: number): void {
    if (this.#attribute !== '' && this.#value.length < this.#maxValue)
      this.#value += String.fromCodePoint(codepoint);
  }

  attributeEnd(): void {
    if (this.#attribute !== '' && !this.#values.has(this.#attribute))
      this.#values.set(this.#attribute, this.#value);
    this.#attribute = '';
    this.#value = '';
  }
}
