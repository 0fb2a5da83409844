import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';

// The pages of the repository, and the commands in their fenced blocks.

export const root = checkout(dirname(fileURLToPath(import.meta.url)));
export const docs = join(root, 'docs');
/** Folders without pages of the repository. */
export const skipped = /^(dist|\.build|node_modules|\.git|garner-data|bench\/data)(\/|$)/;

export interface Page {
  /** Below the repository's root. */
  readonly path: string;
  readonly text: string;
  /** The text without fenced blocks. */
  readonly prose: string;
}

export const fence = /^(```+)([a-z]*)[^\n]*\n([\s\S]*?)^\1[ \t]*$/gm;

export function pages(): Page[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !skipped.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, prose: text.replace(fence, '') };
    });
}

/** A fenced block of a page. */
export interface Block {
  readonly language: string;
  readonly body: string;
}

/** Every fenced block of a page, in order. */
export function fencedBlocks({ text }: Page): Block[] {
  return [...text.matchAll(fence)].map(([, , language = '', body = '']) => ({ language, body }));
}

/** Fenced blocks in one of these languages. */
export function blocks(page: Page, ...languages: readonly string[]): string[] {
  return fencedBlocks(page)
    .filter(({ language }) => languages.includes(language))
    .map(({ body }) => body);
}

/** A command line with the output shown below it. */
export interface Typed {
  readonly line: string;
  /** The output shown; undefined where the page shows none. */
  readonly shown?: string;
}

/** The command lines of a shell block: each line of `sh`, each line after a `$` of `console`. */
export function typedLines({ language, body }: Block): Typed[] {
  const joined = body.replaceAll(/\\\n\s*/g, ' ');
  if (language === 'sh')
    // A here document belongs to its line.
    return [...joined.matchAll(/^.*<<'?(\w+)'?.*\n[\s\S]*?^\1$|^.+$/gm)].map(([line]) => ({ line }));
  if (language !== 'console') return [];
  return joined
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [line = '', ...rest] = part.split('\n');
      const shown = rest.join('\n').trim();
      return shown === '' ? { line } : { line, shown };
    });
}

/** The arguments of a command line: with quotes, and nothing after a pipe, a redirection or a comment. */
export function shellWords(line: string): string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(/(?:'[^']*'|"(?:\\.|[^"\\])*"|[^\s'"])+/g)) {
    if (/^(?:[|<>#&;]|\d>)/.test(word)) break;
    words.push(word.replace(/'([^']*)'|"((?:\\.|[^"\\])*)"/g, (_, a, b) => a ?? b.replace(/\\(.)/g, '$1')));
  }
  return words;
}

/** The arguments of garner in a line; undefined for a line with another program. */
export function garnerArguments(line: string): string[] | undefined {
  const words = shellWords(line);
  if (words[0] === 'npm' && words[1] === 'start') return ['up', ...words.slice(3)];
  const at = words.findIndex((word) => /^(?:garner|gatherer|broker)$/.test(word));
  if (at < 0) return undefined;
  const [name = '', ...rest] = words.slice(at);
  return name === 'garner' ? rest : [name, ...rest];
}

/** The arguments of each garner command line in the shell blocks of a page. */
export function commandLines(page: Page): string[][] {
  return fencedBlocks(page)
    .flatMap(typedLines)
    .map(({ line }) => garnerArguments(line))
    .filter((argv) => argv !== undefined);
}
