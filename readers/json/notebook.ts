import { type JsonEvents, type JsonScalar, scanJson } from './json-scanner.ts';

/** One cell of a notebook. */
export interface NotebookCell {
  readonly kind: 'markdown' | 'code' | 'raw' | 'heading';
  readonly source: string;
  /** Of a heading (version 3). */
  readonly level: number;
  /** Texts that the cell printed or returned; pictures are left out. */
  readonly outputs: readonly string[];
}

/** What a notebook says of itself. */
export interface NotebookFacts {
  readonly title: string | undefined;
  readonly authors: readonly string[];
  readonly language: string | undefined;
  readonly kernel: string | undefined;
  /** Of its format, such as 4.5. */
  readonly version: string | undefined;
  readonly cells: number;
  /** Whether it is JSON up to its end. */
  readonly whole: boolean;
}

const maxCell = 4 * 1024 * 1024;
const maxOutput = 256 * 1024;
const maxAuthors = 100;

/**
 * Reads a Jupyter notebook (nbformat 3 and 4) in one pass; `onCell` receives its cells in their order. One that breaks
 * off gives the cells before. Other JSON has no cells and no version.
 */
export function readNotebook(text: string, onCell: (cell: NotebookCell) => void): NotebookFacts {
  const reader = new NotebookReader(onCell);
  const whole = scanJson(text, reader);
  return reader.facts(whole);
}

class NotebookReader implements JsonEvents {
  readonly #onCell: (cell: NotebookCell) => void;
  /** Keys of the open objects and arrays; an element of an array is `[]`. */
  readonly #path: string[] = [];
  readonly #arrays: boolean[] = [];
  readonly #own = new Map<string, string>();
  readonly #authors: string[] = [];
  #cells = 0;
  #cellDepth = 0;
  #kind = '';
  #source = '';
  #level = 1;
  #outputs: string[] = [];
  #outputLength = 0;

  constructor(onCell: (cell: NotebookCell) => void) {
    this.#onCell = onCell;
  }

  facts(whole: boolean): NotebookFacts {
    const value = (...paths: readonly string[]) => paths.map((path) => this.#own.get(path)).find(Boolean);
    const major = value('nbformat');
    const minor = value('nbformat_minor');
    return {
      // Version 3 keeps the name of the file there, which a new notebook gets from the program.
      title: value('metadata.title', 'metadata.name')?.replace(/^Untitled[\d-]*$/, ''),
      authors: this.#authors,
      language: value('metadata.language_info.name', 'metadata.kernelspec.language', 'metadata.language'),
      kernel: value('metadata.kernelspec.display_name', 'metadata.kernelspec.name'),
      version: major === undefined ? undefined : minor === undefined ? major : `${major}.${minor}`,
      cells: this.#cells,
      whole,
    };
  }

  object(key: string | undefined): void {
    const isCell = this.#arrays.at(-1) === true && this.#path.at(-1) === 'cells' && this.#cellDepth === 0;
    this.#path.push(key ?? '[]');
    this.#arrays.push(false);
    if (!isCell) return;
    this.#cellDepth = this.#path.length;
    this.#kind = '';
    this.#source = '';
    this.#level = 1;
    this.#outputs = [];
    this.#outputLength = 0;
  }

  array(key: string | undefined): void {
    this.#path.push(key ?? '[]');
    this.#arrays.push(true);
  }

  end(): void {
    const closes = this.#cellDepth > 0 && this.#path.length === this.#cellDepth;
    this.#path.pop();
    this.#arrays.pop();
    if (!closes) return;
    this.#cellDepth = 0;
    const kind = kinds.get(this.#kind);
    if (kind === undefined) return;
    this.#cells++;
    const cell = { kind, source: this.#source, level: this.#level, outputs: this.#outputs };
    this.#onCell(cell);
  }

  value(key: string | undefined, type: JsonScalar, text: string): void {
    if (type === 'null') return;
    if (this.#cellDepth > 0) this.#inCell(key, text);
    else {
      const path = [...this.#path.slice(1, 8), ...(key === undefined ? [] : [key])].join('.');
      if (/^metadata\.authors(?:\.\[\]\.name)?$/.test(path)) {
        if (this.#authors.length < maxAuthors) this.#authors.push(text);
      } else if (wanted.has(path) && !this.#own.has(path)) this.#own.set(path, text);
    }
  }

  #inCell(key: string | undefined, text: string): void {
    const inside = this.#path.slice(this.#cellDepth);
    const name = key ?? inside.at(-1) ?? '';
    const list = key === undefined ? inside.slice(0, -1) : inside;
    if (list.length === 0) {
      if (name === 'cell_type') this.#kind = text;
      else if (name === 'level') this.#level = Number(text) || 1;
      else if ((name === 'source' || name === 'input') && this.#source.length < maxCell) this.#source += text;
    } else if (list[0] === 'outputs' && printed.has(name) && !list.includes('metadata'))
      this.#print(key, text);
  }

  // The lines of one output follow each other; a single string is an output of its own.
  #print(key: string | undefined, written: string): void {
    if (this.#outputLength >= maxOutput) return;
    const text = written.replace(terminalCodes, '');
    this.#outputLength += text.length;
    const last = this.#outputs.at(-1);
    if (key !== undefined || last === undefined || !last.endsWith('\n')) this.#outputs.push(text);
    else this.#outputs[this.#outputs.length - 1] = last + text;
  }
}

/** Colours and the like in what a program prints (ECMA-48). */
const terminalCodes = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'g');

const kinds: ReadonlyMap<string, NotebookCell['kind']> = new Map([
  ['markdown', 'markdown'],
  ['code', 'code'],
  ['raw', 'raw'],
  ['heading', 'heading'],
  // Of version 2 and 3.
  ['html', 'markdown'],
  ['plaintext', 'raw'],
]);
const printed: ReadonlySet<string> = new Set(['text', 'text/plain', 'text/markdown', 'ename', 'evalue']);
const wanted: ReadonlySet<string> = new Set([
  'nbformat',
  'nbformat_minor',
  'metadata.title',
  'metadata.name',
  'metadata.language',
  'metadata.language_info.name',
  'metadata.kernelspec.language',
  'metadata.kernelspec.display_name',
  'metadata.kernelspec.name',
]);
