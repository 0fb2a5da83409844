import { beginning, oneLine, type StructuredText } from '../text/index.ts';
import { latexAccents, latexCharacters } from './latex-characters.ts';
import {
  type ArgumentRole,
  argumentRoles,
  definingCommands,
  droppedEnvironments,
  environmentArguments,
  furtherDropped,
  verbatimEnvironments,
} from './latex-commands.ts';
import { LatexFindings } from './latex-findings.ts';
import { LatexMacros } from './latex-macros.ts';
import { TexScanner } from './latex-scanner.ts';

const maxFrames = 200;
const maxFrameText = 16 * 1024;
const maxParagraph = 256 * 1024;

/** An argument that is being read: its words go elsewhere than into the paragraph. */
interface Frame {
  readonly role: ArgumentRole;
  /** Braces open around it. */
  readonly depth: number;
  readonly parts: string[];
  length: number;
}

const special = /[\\%${}~&^#`'\n-]/g;

/** Reads TeX source once from beginning to end and collects arguments on the way. */
export class LatexReader {
  readonly findings = new LatexFindings();
  readonly #text: StructuredText;
  readonly #scanner: TexScanner;
  readonly #frames: Frame[] = [];
  readonly #macros = new LatexMacros();
  #depth = 0;
  #paragraph: string[] = [];
  #length = 0;
  readonly #documentEnd: number;
  /** Text before `\begin{document}` is setup. */
  #preamble: boolean;
  #environment: 'abstract' | 'keywords' | undefined;
  #begun = false;

  constructor(source: string, text: StructuredText) {
    this.#scanner = new TexScanner(source);
    this.#text = text;
    this.#documentEnd = source.lastIndexOf('\\end{document}');
    this.#preamble = /\\begin\s*\{document\}/.test(source);
  }

  read(): void {
    const scanner = this.#scanner;
    while (!scanner.done) {
      special.lastIndex = scanner.at;
      const next = special.exec(scanner.source);
      const end = next === null ? scanner.source.length : next.index;
      if (end > scanner.at) this.#put(scanner.source.slice(scanner.at, end));
      scanner.at = end;
      if (next !== null) this.#special(next[0]);
    }
    while (this.#frames.length > 0) this.#close();
    this.#endParagraph();
  }

  #special(mark: string): void {
    const scanner = this.#scanner;
    scanner.at++;
    switch (mark) {
      case '\\':
        this.#command(scanner.command());
        return;
      case '%':
        if (scanner.upTo('\n') === undefined) scanner.at = scanner.source.length;
        // The next line continues this one; a blank line still ends a paragraph.
        else if (/^[ \t]*\n/.test(scanner.source.slice(scanner.at, scanner.at + 200))) this.#endParagraph();
        return;
      case '$':
        this.#mathematics();
        return;
      case '{':
        this.#depth++;
        return;
      case '}':
        this.#depth = Math.max(0, this.#depth - 1);
        while ((this.#frames.at(-1)?.depth ?? -1) > this.#depth) this.#close();
        return;
      case '\n':
        if (/^[ \t]*\n/.test(scanner.source.slice(scanner.at, scanner.at + 200))) this.#blankLine();
        else this.#put('\n');
        return;
      case '~':
      case '&':
        this.#put(' ');
        return;
      case '^':
      case '#':
        this.#put(mark);
        return;
      default:
        this.#ligature(mark);
    }
  }

  #blankLine(): void {
    // These arguments never span a blank line: their brace was not closed.
    while (
      this.#frames.length > 0 &&
      /^(?:heading|title|date|index|drop)$/.test(this.#frames.at(-1)?.role ?? '')
    )
      this.#close();
    this.#endParagraph();
  }

  #ligature(mark: string): void {
    const scanner = this.#scanner;
    let run = 1;
    while (run < 3 && scanner.source.charAt(scanner.at) === mark) {
      scanner.at++;
      run++;
    }
    if (mark === '-') this.#put(run === 1 ? '-' : run === 2 ? '–' : '—');
    else if (mark === '`') this.#put(run === 1 ? '‘' : '“'.repeat(run - 1));
    else this.#put(run === 1 ? "'" : '”'.repeat(run - 1));
  }

  #mathematics(): void {
    const scanner = this.#scanner;
    if (scanner.source.charAt(scanner.at) === '$') {
      scanner.at++;
      scanner.upTo('$$');
      this.#put(' ');
      return;
    }
    // Formulas within a line end in the same paragraph.
    const ahead = scanner.source.slice(scanner.at, scanner.at + 2000);
    const end = /(?:^|[^\\])\$|\n[ \t]*\n/.exec(ahead);
    if (end?.[0].endsWith('$')) {
      const inside = ahead.slice(0, end.index + end[0].length - 1);
      scanner.at += end.index + end[0].length;
      // A single letter or number is useful text: the $n$ bodies.
      this.#put(/^[A-Za-z0-9]{1,20}$/.test(inside) ? inside : ' ');
    }
  }

  #command(name: string): void {
    const scanner = this.#scanner;
    const plain = name.endsWith('*') ? name.slice(0, -1) : name;
    const accent = latexAccents.get(name);
    if (
      accent !== undefined &&
      (name.length === 1 && !/[A-Za-z]/.test(name)
        ? true
        : /[{\s\\A-Za-z]/.test(scanner.source.charAt(scanner.at)))
    ) {
      this.#accent(accent);
      return;
    }
    const character = latexCharacters.get(plain);
    if (character !== undefined) {
      this.#put(character);
      return;
    }
    if (plain === 'begin' || plain === 'end') {
      this.#environmentMark(plain === 'begin');
      return;
    }
    if (definingCommands.has(name)) {
      this.#macros.define(scanner, plain);
      return;
    }
    if (/^(?:[A-Za-z]*[cC]ite[a-zA-Z]*)$/.test(plain)) {
      this.#cite();
      return;
    }
    const macro = this.#macros.words(name);
    if (macro !== undefined) {
      this.#put(macro);
      return;
    }
    switch (plain) {
      case '(':
      case '[':
        scanner.upTo(plain === '(' ? '\\)' : '\\]');
        this.#put(' ');
        return;
      case '\\':
      case 'newline':
      case 'linebreak':
      case 'cr':
      case 'tabularnewline':
        scanner.option();
        this.#put('\n');
        return;
      case 'par':
      case 'bigskip':
      case 'medskip':
      case 'smallskip':
      case 'bye':
      case 'maketitle':
        this.#endParagraph();
        return;
      case 'item':
        this.#endParagraph();
        this.#put(`${scanner.option() ?? ''} `);
        return;
      case 'verb':
      case 'lstinline':
        this.#verb();
        return;
      case 'documentclass':
      case 'documentstyle':
        scanner.option();
        this.findings.documentClass ??= oneLine(scanner.simpleArgument() ?? '');
        return;
      case 'input':
      case 'include':
      case 'subfile':
      case 'bibliography':
      case 'addbibresource':
        this.#file(plain);
        return;
      case 'url':
      case 'path':
      case 'href': {
        const url = scanner.simpleArgument();
        if (url === undefined) return;
        if (plain !== 'path') this.#text.references.add(url.replace(/\\([%#&_~])/g, '$1').trim(), true);
        plain === 'href' ? undefined : this.#put(url);
        return;
      }
      case 'centerline':
        this.#begun || this.#text.title !== undefined ? undefined : this.#open('title');
        return;
      case 'beginsection': {
        this.#endParagraph();
        const line = scanner.upTo('\n');
        if (line !== undefined) this.#text.heading(line.replace(/\\par\s*$|[{}]|\\[a-z]+/g, ' '));
        return;
      }
      default:
        this.#withArgument(plain);
    }
  }

  #withArgument(name: string): void {
    const role = argumentRoles.get(name);
    const scanner = this.#scanner;
    if (role === undefined) {
      // Options describe how, not what.
      if (/^[A-Za-z]/.test(name)) scanner.option();
      return;
    }
    const option = scanner.option();
    if (role === 'drop' && name === 'bibitem') {
      scanner.simpleArgument();
      this.#endParagraph();
      this.#put(option === undefined ? '' : `${option} `);
      return;
    }
    for (let more = furtherDropped.get(name) ?? 0; more >= 0 && role === 'drop'; more--)
      if (scanner.group() === undefined) return;
    if (role !== 'drop') this.#open(role);
  }

  /** Begin to collect an argument, if one follows. */
  #open(role: ArgumentRole): void {
    if (!this.#scanner.open()) return;
    this.#depth++;
    if (this.#frames.length < maxFrames)
      this.#frames.push({ role, depth: this.#depth, parts: [], length: 0 });
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) return;
    const raw = frame.parts.join('');
    const words = oneLine(raw);
    if (words === '') return;
    this.findings.take(frame.role, raw);
    if (frame.role === 'title') this.#text.title ??= words;
    if (frame.role === 'heading') {
      this.#endParagraph();
      this.#text.heading(words);
    } else if (
      frame.role === 'title' ||
      frame.role === 'abstract' ||
      (frame.role === 'note' && !this.#preamble)
    )
      this.#text.paragraph(words);
  }

  #put(text: string): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      frame.length += text.length;
      if (frame.length <= maxFrameText) frame.parts.push(text);
      // So long an argument means that its brace was never closed.
      else if (frame.role !== 'abstract' && frame.role !== 'note') this.#close();
      return;
    }
    if (this.#preamble) return;
    this.#paragraph.push(text);
    this.#length += text.length;
    if (this.#length > maxParagraph) this.#endParagraph();
  }

  #endParagraph(): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined) {
      frame.parts.push('\n');
      return;
    }
    if (this.#paragraph.length === 0) return;
    const words = this.#paragraph.join('').normalize();
    this.#paragraph = [];
    this.#length = 0;
    if (words.trim() === '') return;
    this.#begun = true;
    if (this.#environment === 'abstract') this.findings.addAbstract(oneLine(beginning(words, maxFrameText)));
    if (this.#environment === 'keywords') this.findings.addKeywords(oneLine(words));
    this.#text.paragraph(words);
  }

  #accent(mark: string): void {
    const scanner = this.#scanner;
    const ahead = /^\s*(?:\{\s*(?:\\?([A-Za-z]))\s*\}|\\?([A-Za-z])(?![A-Za-z])|([A-Za-z])|\{\s*\})/.exec(
      scanner.source.slice(scanner.at, scanner.at + 12),
    );
    if (ahead === null) return;
    scanner.at += ahead[0].length;
    const letter = ahead[1] ?? ahead[2] ?? ahead[3];
    if (letter !== undefined) this.#put((letter + mark).normalize());
  }

  #environmentMark(begin: boolean): void {
    const scanner = this.#scanner;
    const name = (scanner.simpleArgument() ?? '').trim();
    this.#endParagraph();
    if (name === 'document') {
      this.#preamble = false;
      // Text after the end of the document is not printed. Manuals print examples of it, so the last end is
      // used.
      if (!begin && scanner.at >= this.#documentEnd) scanner.at = scanner.source.length;
      return;
    }
    const kind = /^abstract\*?$/.test(name)
      ? 'abstract'
      : /^(?:keywords?|IEEEkeywords)$/.test(name)
        ? 'keywords'
        : undefined;
    if (kind !== undefined) this.#environment = begin ? kind : undefined;
    if (!begin) return;
    if (droppedEnvironments.has(name)) scanner.upTo(`\\end{${name}}`);
    else if (verbatimEnvironments.has(name)) {
      scanner.option();
      const lines = scanner.upTo(`\\end{${name}}`);
      if (lines !== undefined && !this.#preamble) this.#text.lines(lines);
    } else {
      scanner.option();
      for (let more = environmentArguments.get(name) ?? 0; more > 0; more--) scanner.group();
    }
  }

  #cite(): void {
    const scanner = this.#scanner;
    scanner.option();
    scanner.option();
    this.findings.cite(scanner.simpleArgument() ?? '');
  }

  #verb(): void {
    const scanner = this.#scanner;
    const mark = scanner.source.charAt(scanner.at) === '{' ? '}' : scanner.source.charAt(scanner.at);
    const end = scanner.source.slice(scanner.at + 1, scanner.at + 500).indexOf(mark);
    if (mark === '' || end < 0) return;
    this.#put(scanner.source.slice(scanner.at + 1, scanner.at + 1 + end));
    scanner.at += end + 2;
  }

  #file(command: string): void {
    const scanner = this.#scanner;
    scanner.option();
    let names = scanner.simpleArgument();
    if (names === undefined && command === 'input') {
      names = /^[\w./-]{1,200}/.exec(scanner.source.slice(scanner.at, scanner.at + 200))?.[0];
      scanner.at += names?.length ?? 0;
    }
    const ending = command === 'bibliography' ? '.bib' : '.tex';
    for (const name of (names ?? '').split(',', 50)) {
      const file = name.trim();
      if (!/^[\w][\w./ -]*$/.test(file)) continue;
      this.#text.references.add(/\.\w{2,4}$/.test(file) ? file : file + ending, true);
      if (command !== 'bibliography' && command !== 'addbibresource') this.findings.inputs++;
    }
  }
}
