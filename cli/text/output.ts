import { stripVTControlCharacters, styleText } from 'node:util';

/** What `Output` needs of a stream. */
export interface OutputStream {
  write(text: string, written?: (error?: Error | null) => void): boolean;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Data as JSON lines on stdout, errors as JSON on stderr, nothing else. */
  readonly json?: boolean;
  /** No notes and no progress. */
  readonly quiet?: boolean;
  /** Never colours, whatever the terminal. */
  readonly plain?: boolean;
}

// C0, DEL and C1 controls, line and paragraph separators, and the marks that turn the direction of text around.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const unsafe = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text from the network or a file made safe for a terminal: no escape sequences, no control characters, one line. */
export function terminalSafe(text: string): string {
  return terminalSafeText(text).replace(/[\t\n]+/g, ' ');
}

/** The same for text of several lines: line breaks and tabs stay. */
export function terminalSafeText(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(unsafe, '');
}

/** JSON on one line whose strings cannot steer a terminal either. */
export function terminalSafeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The output of a verb. Only data goes to stdout: text, or with `--json` one JSON value a line. */
export class Output {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  readonly #colours: boolean;
  #status = '';

  constructor(options: OutputOptions) {
    const { env } = options;
    this.json = options.json === true;
    this.quiet = options.quiet === true;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    // The writer's callback has the error; without a listener it would end the process.
    for (const stream of [this.#stdout, this.#stderr]) stream.on('error', () => {});
    // NO_COLOR counts when it is not empty (https://no-color.org).
    this.#colours = !options.plain && !env.NO_COLOR && env.TERM !== 'dumb';
  }

  /** Whether progress is shown to a person. */
  get isInteractive(): boolean {
    return this.#stderr.isTTY === true && !this.json && !this.quiet;
  }

  /** Width of the terminal errors and notes appear on. */
  get columns(): number {
    return this.#stderr.columns ?? 80;
  }

  /**
   * Write lines of data unchanged; resolves when they are written, rejects when they cannot be (a full disk). A
   * reader that left, as `head` does, is no error. Make foreign text safe before.
   */
  data(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdout.write(text.endsWith('\n') ? text : `${text}\n`, (error) => {
        if (!error || ('code' in error && error.code === 'EPIPE')) resolve();
        else reject(error);
      });
    });
  }

  /** Print one result: the value itself with `--json`, the text of `render` for people. */
  result<Value>(value: Value, render: (value: Value) => string): Promise<void> {
    return this.data(this.json ? terminalSafeJson(value) : render(value));
  }

  /** Print a note for a person; silent with `--json` and `--quiet`. */
  note(text: string): void {
    if (!this.json && !this.quiet) this.#above(`${text}\n`);
  }

  /** Print an error, whatever the options. */
  error(text: string): void {
    this.#above(`${text}\n`);
  }

  /** Show one line that the next one replaces, on a terminal only; an empty one clears it. */
  status(line: string): void {
    if (!this.isInteractive) return;
    const fitting = line.slice(0, Math.max(0, this.columns - 1));
    if (fitting === this.#status) return;
    this.#status = fitting;
    this.#stderr.write(`\r\x1b[K${fitting}`);
  }

  /** Colour text for the stream it goes to. */
  style(
    style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan',
    text: string,
    stream: 'out' | 'err' = 'out',
  ): string {
    const target = stream === 'out' ? this.#stdout : this.#stderr;
    return this.#colours && target.isTTY === true ? styleText(style, text, { validateStream: false }) : text;
  }

  #above(text: string): void {
    if (this.#status === '') this.#stderr.write(text);
    else this.#stderr.write(`\r\x1b[K${text}${this.#status}`);
  }
}
