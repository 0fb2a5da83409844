import { latexCharacters } from './latex-characters.ts';
import type { TexScanner } from './latex-scanner.ts';

const maxMacros = 1000;
const maxWords = 200;
// Characters that uses of macros may add to a document.
const maxGrowth = 8 * 1024 * 1024;

const head =
  /^\s*(?:\{\s*\\?([A-Za-z@*]{1,50}|.)\s*\}|\\([A-Za-z@]{1,50}|.))\s*((?:\[[^\]]{0,200}\]){0,3})([^{}\n]{0,100})/;
const letHead = /^\\?[A-Za-z@]{0,50}\s*=?\s*\\?(?:[A-Za-z@]{1,50}|.)?/;

/** The commands that a document defines as plain words; its other definitions are skipped. */
export class LatexMacros {
  readonly #words = new Map<string, string>();
  #grown = 0;

  /** The words of a command, or undefined. */
  words(name: string): string | undefined {
    const words = this.#grown < maxGrowth ? this.#words.get(name) : undefined;
    this.#grown += words?.length ?? 0;
    return words;
  }

  /** Read the definition that follows `\def`, `\newcommand` and the like. */
  define(scanner: TexScanner, command: string): void {
    if (command === 'long') return;
    if (command === 'let' || command === 'futurelet') {
      scanner.at += letHead.exec(scanner.source.slice(scanner.at, scanner.at + 120))?.[0].length ?? 0;
      return;
    }
    const parts = head.exec(scanner.source.slice(scanner.at, scanner.at + 500));
    if (parts === null) return;
    scanner.at += parts[0].length;
    const body = scanner.group();
    const environment = command.endsWith('environment');
    if (environment) scanner.group();
    const [, braced, bare, options, pattern = ''] = parts;
    if (body === undefined || environment || options !== '' || pattern.trim() !== '') return;
    const words = body
      .replace(/\\(?:[a-zA-Z@]+|.)\s*/g, (sequence) => latexCharacters.get(sequence.slice(1).trim()) ?? '')
      .replace(/[{}]/g, '')
      .trim();
    if (words.length > maxWords || /[#$&]/.test(words) || !/^[\p{L}\p{N}]/u.test(words)) return;
    if (this.#words.size < maxMacros) this.#words.set(braced ?? bare ?? '', words);
  }
}
