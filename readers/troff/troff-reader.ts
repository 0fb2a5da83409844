import { beginning } from '../text/index.ts';
import { troffCondition } from './troff-conditions.ts';
import { renderTroff } from './troff-escapes.ts';
import { TroffTable } from './troff-tables.ts';

/** A macro package: receives the macros and texts of `TroffReader`, with escapes turned into text. */
export interface TroffSink {
  /** Whether the package handles this macro; a document's own macro of that name is then not used. */
  knows(macro: string): boolean;
  macro(name: string, args: readonly string[]): void;
  text(line: string): void;
  /** A line ends here in the printed page; a blank line when `blank`. */
  lineBreak(blank: boolean): void;
  /** Whether lines are filled from here on or kept as they are, perhaps `centred`. */
  fill(on: boolean, centred?: boolean): void;
  /** The cells of a table's row. */
  row(cells: readonly string[]): void;
  /** A file named by `.so`, which is not opened. */
  source(file: string): void;
}

// Max size of a document's own strings and macros; beyond it they are plain text.
const maxStored = 1024 * 1024;
const maxString = 8 * 1024;
const maxGrowth = 16 * 1024 * 1024;
// What a line that a macro adds costs beyond its characters.
const lineCost = 100;
// Conditions within conditions on one line.
const maxConditions = 20;
const maxFrames = 16;
const maxChoices = 1000;

interface Frame {
  readonly lines: readonly string[];
  at: number;
  /** Written arguments, when the lines are those of a macro. */
  readonly args?: readonly string[];
}

/** Blocks of preprocessors with few words: eqn, pic, grap, ideal, refer's references. */
const foreignBlocks: ReadonlyMap<string, RegExp> = new Map([
  ['EQ', /^[.']\s*EN\b/],
  ['PS', /^[.']\s*P[EF]\b/],
  ['G1', /^[.']\s*G2\b/],
  ['IS', /^[.']\s*IE\b/],
  ['GS', /^[.']\s*GE\b/],
  ['[', /^[.']\s*\]/],
  ['R1', /^[.']\s*R2\b/],
]);

const breaks: ReadonlySet<string> = new Set(['br', 'bp', 'ti', 'in', 'brp']);

/**
 * Reads troff's requests (groff(7)) as far as the text depends on them: strings, the document's own macros,
 * conditions, tables, fill mode. Every other macro goes to the sink, unknown requests are ignored. Runs no
 * program and opens no file; work is linear in the source, and the expansion of macros is bounded.
 */
export class TroffReader {
  readonly strings = new Map<string, string>();
  readonly registers = new Map<string, number>([['.g', 1]]);
  readonly macros = new Map<string, string[]>();
  readonly #sink: TroffSink;
  readonly #frames: Frame[];
  readonly #choices: boolean[] = [];
  #stored = 0;
  /** Characters that strings and macros have added to the source. */
  #grown = 0;
  #table: TroffTable | undefined;
  #centred = 0;
  #conditions = 0;

  /** `strings` are those that the macro package defines. */
  constructor(source: string, sink: TroffSink, strings: Readonly<Record<string, string>> = {}) {
    this.#sink = sink;
    this.#frames = [{ lines: source.split(/\r?\n/), at: 0 }];
    for (const [name, value] of Object.entries(strings)) this.strings.set(name, value);
  }

  read(): void {
    for (let line = this.#next(); line !== undefined; line = this.#next()) this.#line(line);
    this.#table?.end();
  }

  #next(): string | undefined {
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      let line = frame.lines[frame.at];
      if (line !== undefined) {
        frame.at++;
        const parts = [];
        // A backslash at the end of a line hides the line's end.
        while (line.endsWith('\\') && !line.endsWith('\\\\') && frame.at < frame.lines.length) {
          parts.push(line.slice(0, -1));
          line = frame.lines[frame.at++] ?? '';
        }
        if (parts.length > 0) line = parts.join('') + line;
        if (frame.args === undefined) return line;
        line = withArguments(line, frame.args);
        this.#grown += line.length + lineCost;
        return line;
      }
      this.#frames.pop();
    }
    return undefined;
  }

  #line(line: string): void {
    const code = line.charAt(0);
    const control = code === '.' || code === "'";
    if (this.#table !== undefined && !control) this.#table.line(withoutComment(line));
    else if (!control) this.#textLine(withoutComment(line));
    else {
      const parts = /^.[ \t]*(\\?[^\s\\]*)(.*)$/s.exec(withoutComment(line));
      if (parts !== null) this.#request(parts[1] ?? '', parts[2] ?? '');
    }
  }

  #textLine(line: string): void {
    if (line.trim() === '') this.#sink.lineBreak(true);
    else {
      this.#sink.text(this.#render(line));
      if (this.#centred > 0 && --this.#centred === 0) this.#sink.fill(true);
    }
  }

  #render(text: string): string {
    const rendered = renderTroff(text, this);
    this.#grown += Math.max(0, rendered.length - text.length);
    if (this.#grown > maxGrowth) {
      this.strings.clear();
      this.macros.clear();
    }
    return rendered;
  }

  #request(name: string, rest: string): void {
    const foreign = foreignBlocks.get(name);
    if (foreign !== undefined) {
      this.#skipTo(foreign);
      return;
    }
    if (breaks.has(name)) {
      this.#sink.lineBreak(false);
      return;
    }
    switch (name) {
      case '':
        // `\}` alone, a dot alone, an escape in place of a name.
        return;
      case 'sp':
        this.#sink.lineBreak(true);
        return;
      case 'nf':
      case 'fi':
        this.#sink.fill(name === 'fi');
        return;
      case 'ce':
        this.#centred = Math.min(Number(/^\s*(\d{1,4})/.exec(rest)?.[1] ?? 1), 1000);
        this.#sink.fill(this.#centred === 0, this.#centred > 0);
        return;
      case 'de':
      case 'de1':
      case 'am':
      case 'am1':
      case 'ig':
        this.#define(name, rest);
        return;
      case 'ds':
      case 'ds1':
      case 'as':
      case 'as1':
        this.#string(rest, name.startsWith('as'));
        return;
      case 'nr':
        this.#register(rest);
        return;
      case 'rm':
        for (const gone of argumentsOf(rest)) {
          this.strings.delete(gone);
          this.macros.delete(gone);
        }
        return;
      case 'if':
      case 'while':
        this.#when(troffCondition(rest, this));
        return;
      case 'ie': {
        const condition = troffCondition(rest, this);
        if (this.#choices.length < maxChoices) this.#choices.push(condition.holds);
        this.#when(condition);
        return;
      }
      case 'el':
        this.#when({ holds: this.#choices.pop() === false, rest });
        return;
      case 'do':
        this.#when({ holds: true, rest: `.${rest.trimStart()}` });
        return;
      case 'nop':
        this.#when({ holds: true, rest });
        return;
      case 'return':
        if (this.#frames.length > 1) this.#frames.pop();
        return;
      case 'so':
      case 'mso':
        this.#sink.source(this.#render(rest).trim());
        return;
      case 'TS':
        this.#table = new TroffTable((cells) => this.#sink.row(cells.map((cell) => this.#render(cell))));
        return;
      case 'T&':
        this.#table?.newFormat();
        return;
      case 'TE':
        this.#table?.end();
        this.#table = undefined;
        return;
      default:
        this.#macro(name, rest);
    }
  }

  #macro(name: string, rest: string): void {
    if (this.#table !== undefined) return;
    const args = argumentsOf(rest);
    const body = this.#sink.knows(name) ? undefined : this.macros.get(name);
    if (body === undefined) {
      this.#sink.macro(
        name,
        args.map((arg) => this.#render(arg)),
      );
      return;
    }
    if (this.#frames.length < maxFrames && this.#grown <= maxGrowth)
      this.#frames.push({ lines: body, at: 0, args });
  }

  #when({ holds, rest }: { readonly holds: boolean; readonly rest: string }): void {
    const governed = rest.trimStart();
    if (holds) {
      const line = governed.replace(/^(?:\\\{\s*)+/, '').replace(/(?:\\\}\s*)+$/, '');
      if (line === '' || line === '\\' || this.#conditions >= maxConditions) return;
      this.#conditions++;
      this.#line(line);
      this.#conditions--;
      return;
    }
    let open = braces(governed);
    while (open > 0) {
      const line = this.#next();
      if (line === undefined) return;
      open += braces(line);
    }
  }

  #skipTo(end: RegExp): void {
    for (let line = this.#next(); line !== undefined; line = this.#next()) if (end.test(line)) return;
  }

  /** `.de name end`: the lines of a macro, up to a line `.end` or `..`. */
  #define(request: string, rest: string): void {
    const [first = '', second] = argumentsOf(rest);
    const end = `.${(request === 'ig' ? first : second) || '.'}`;
    const body: string[] = [];
    const frame = this.#frames.at(-1);
    while (frame !== undefined && frame.at < frame.lines.length) {
      const line = frame.lines[frame.at++] ?? '';
      if (line.replace(/^([.'])[ \t]+/, '$1').trimEnd() === end) break;
      this.#stored += line.length;
      if (this.#stored <= maxStored) body.push(line.replaceAll('\\\\', '\\'));
    }
    if (request === 'ig') return;
    const known = request.startsWith('am') ? this.macros.get(first) : undefined;
    if (known === undefined) this.macros.set(first, body);
    else for (const line of body) known.push(line);
  }

  #string(rest: string, append: boolean): void {
    const parts = /^\s*(\S+)\s*"?(.*)$/s.exec(rest);
    if (parts === null) return;
    const [, name = '', written = ''] = parts;
    const value = (append ? (this.strings.get(name) ?? '') : '') + this.#render(written);
    this.#stored += Math.min(value.length, maxString);
    if (this.#stored <= maxStored)
      this.strings.set(name, beginning(value, maxString).replaceAll('\\', '\\e'));
  }

  #register(rest: string): void {
    const parts = /^\s*(\S+)\s+([+-]?)\(?(-?\d{1,9})/.exec(this.#render(rest));
    if (parts === null || this.registers.size > 10_000) return;
    const [, name = '', sign, number] = parts;
    const before = sign === '' ? 0 : (this.registers.get(name) ?? 0);
    this.registers.set(name, before + (sign === '-' ? -1 : 1) * Number(number));
  }
}

/** A line without its comment: `\"` or `\#`, unless the backslash itself is escaped. */
function withoutComment(line: string): string {
  for (let at = line.indexOf('\\'); at >= 0; at = line.indexOf('\\', at + 2)) {
    const next = line.charAt(at + 1);
    if (next === '"' || next === '#') return line.slice(0, at);
  }
  return line;
}

const maxArguments = 64;

/** Arguments as written: divided by spaces, those with spaces in double quotes, two of them for a quote itself. */
export function argumentsOf(rest: string): string[] {
  const args: string[] = [];
  const pattern = /"((?:[^"]|"")*)"?|((?:\\.|[^\s\\])(?:\\.|[^\s\\])*)\\?/gs;
  for (const match of rest.matchAll(pattern)) {
    const [, quoted, bare] = match;
    args.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (args.length >= maxArguments) break;
  }
  return args;
}

function withArguments(line: string, args: readonly string[]): string {
  if (!line.includes('\\$')) return line;
  let room = maxString;
  return line.replace(/\\\$(?:(\d)|([*@])|\((\d\d)|\[(\d{1,3})\])/g, (_, one, all, two, more) => {
    const value = all === undefined ? (args[Number(one ?? two ?? more) - 1] ?? '') : args.join(' ');
    const fits = beginning(value, room);
    room -= fits.length;
    return fits;
  });
}

function braces(line: string): number {
  let open = 0;
  for (let at = line.indexOf('\\'); at >= 0; at = line.indexOf('\\', at + 2)) {
    const next = line.charAt(at + 1);
    if (next === '{') open++;
    else if (next === '}') open--;
  }
  return open;
}
