import { NameList } from '../text/index.ts';
import { blockDefinitions } from './block-definitions.ts';
import { scanCode } from './code-scanner.ts';
import { commentBlocks, describingParagraph } from './comment-prose.ts';
import { type DefinitionKind, type DefinitionPattern, definitionPatterns } from './definition-patterns.ts';
import type { Language } from './languages.ts';
import { lexes } from './lexis.ts';
import { assignedAuthors, authorNames, copyrightLines, licenceOf } from './licence.ts';
import { SpelledLetters } from './spelled-letters.ts';

/** Facts that a program states about itself. */
export interface CodeFacts {
  /** Names by kind, each once, in the order of the file. */
  readonly names: Readonly<Record<DefinitionKind, NameList>>;
  /** Comments and documentation strings without marks, one text for each block. */
  readonly comments: readonly string[];
  /** The purpose of the file, in its author's words. */
  readonly description?: string;
  /** SPDX expression. */
  readonly licence?: string;
  readonly copyrights: readonly string[];
  readonly authors: readonly string[];
  /** Whether names or comments were left out because there were too many. */
  readonly cut: boolean;
}

const maxLine = 400;
const headBlocks = 12;

/** Read a program's definitions, comments and rights; linear in its length. */
export function codeFacts(text: string, language: Language): CodeFacts {
  const lexis = lexes[language.lexis];
  const source = language.name === 'Fortran' ? freeFormComments(text) : text;
  const { code, comments, cut } = scanCode(source, lexis);
  const names = {
    function: new NameList(),
    class: new NameList(),
    type: new NameList(),
    constant: new NameList(),
    import: new NameList(),
    package: new NameList(),
  };
  const letters = new SpelledLetters();
  const spelled = letters.spell(code);
  const found = (kind: DefinitionKind, name: string) => names[kind].add(letters.read(name));
  if (language.definitions === 'blocks') blockDefinitions(spelled, hasPrototypes(language), found);
  else lineDefinitions(spelled, definitionPatterns[language.definitions], found);

  const blocks = commentBlocks(source, comments);
  const head = blocks
    .slice(0, headBlocks)
    .map(({ text: block }) => block)
    .join('\n');
  const description = describingParagraph(blocks);
  const licence = licenceOf(head);
  return {
    names,
    comments: blocks.map(({ text: block }) => block),
    ...(description === undefined ? {} : { description }),
    ...(licence === undefined ? {} : { licence }),
    copyrights: copyrightLines(head),
    authors: [...new Set([...assignedAuthors(text), ...authorNames(head)])],
    cut: cut || Object.values(names).some((list) => list.cut),
  };
}

function lineDefinitions(
  code: string,
  patterns: readonly DefinitionPattern[],
  found: (kind: DefinitionKind, name: string) => void,
): void {
  if (patterns.length === 0) return;
  let start = 0;
  while (start < code.length) {
    const end = code.indexOf('\n', start);
    const stop = end < 0 ? code.length : end;
    const line = code.slice(start, Math.min(stop, start + maxLine));
    start = stop + 1;
    if (line.trim() === '') continue;
    for (const [pattern, kind] of patterns) {
      const name = pattern.exec(line)?.[1];
      if (name !== undefined) found(kind, name);
    }
  }
}

function hasPrototypes(language: Language): boolean {
  return language.name !== 'C';
}

/** Fixed-form Fortran marks a comment by `C` in the first column; a `!` in its place means the same. */
function freeFormComments(text: string): string {
  return /^[cC*][ \t*\-=c]/m.test(text) ? text.replace(/^[cC](?=[ \t*\-=cC]|$)/gm, '!') : text;
}
