import { nameOf, type PdfDictionary } from '../file/values.ts';

const maxDepth = 1000;

/** Marked content (ISO 32000 14.6): text that is an artifact of the page, or is replaced by another. */
export class MarkedContent {
  readonly #artifacts: boolean;
  readonly #open: ('artifact' | 'actual' | 'other')[] = [];
  #beyond = 0;
  /** Number of open artifacts. */
  #hidden = 0;
  #actual: string | undefined;

  /** `artifacts` is false when the document is not tagged: its artifacts may be anything then. */
  constructor(artifacts: boolean) {
    this.#artifacts = artifacts;
  }

  /** Whether shown text is to be read now. */
  get hidden(): boolean {
    return this.#hidden > 0;
  }

  begin(tag: string, properties: PdfDictionary | undefined): void {
    if (this.#open.length >= maxDepth) {
      this.#beyond++;
      return;
    }
    const actual = properties?.get('ActualText');
    if (this.#artifacts && (tag === 'Artifact' || nameOf(properties?.get('Type')) === 'Pagination')) {
      this.#hidden++;
      this.#open.push('artifact');
    } else if (typeof actual === 'string' && this.#actual === undefined) {
      this.#actual = actual;
      this.#open.push('actual');
    } else this.#open.push('other');
  }

  end(): void {
    if (this.#beyond > 0) {
      this.#beyond--;
      return;
    }
    const kind = this.#open.pop();
    if (kind === 'artifact') this.#hidden--;
    else if (kind === 'actual') this.#actual = undefined;
  }

  /** The text to read for a shown text: a replacement comes with the first piece. */
  read(shown: string, decode: (text: string) => string): string {
    if (this.#actual === undefined) return shown;
    const text = this.#actual;
    this.#actual = '';
    return decode(text);
  }
}
