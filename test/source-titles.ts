import type { Titles } from './feature-table.ts';

/** A source file: its path and text. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

const quoted = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/;
const call = new RegExp(
  `(?<![.\\w'"\`$])(?:t\\.)?(?:test|it)(?:\\.\\w+)?\\(\\s*(?:${quoted.source}|([A-Za-z_]\\w*)\\s*,)`,
  'g',
);
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0' };

const unescaped = (literal: string) =>
  literal.replace(
    /\\(?:u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([\s\S]))/g,
    (_, a, b, c, character) => {
      const code = a ?? b ?? c;
      return code === undefined
        ? (escapes[character] ?? character)
        : String.fromCodePoint(Number.parseInt(code, 16));
    },
  );

/** The texts between the placeholders of a template, which may contain braces. */
function fixedParts(template: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = template.indexOf('${'); at >= 0; at = template.indexOf('${', from)) {
    parts.push(template.slice(from, at));
    let depth = 1;
    for (from = at + 2; from < template.length && depth > 0; from++) {
      if (template[from] === '{') depth++;
      else if (template[from] === '}') depth--;
    }
  }
  return [...parts, template.slice(from)];
}

const patternOf = (template: string) =>
  new RegExp(
    `^${fixedParts(template)
      .map((part) => unescaped(part).replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('([\\s\\S]*)')}$`,
  );

/**
 * The possible titles of the tests in these sources. `${x}` in a title matches a number or any text that the sources
 * hold; a title in a variable is any quoted text of its file.
 */
export function sourceTitles(sources: readonly Source[]): Titles {
  const fixed = new Set<string>();
  const patterns: RegExp[] = [];
  const named: string[] = [];
  for (const { text } of sources) {
    if (!/\bnode:test\b|\btestBoth\b/.test(text)) continue;
    for (const [, single, double, template, variable] of text.matchAll(call)) {
      const literal = single ?? double;
      if (literal !== undefined) fixed.add(unescaped(literal));
      else if (variable !== undefined) named.push(text);
      else if (template?.includes('${')) patterns.push(patternOf(template));
      else if (template !== undefined) fixed.add(unescaped(template));
    }
  }
  const holds = (words: string) =>
    /^[\d.,_ ]*$/.test(words) || sources.some(({ text }) => text.includes(words));
  return {
    has: (title) =>
      fixed.has(title) ||
      patterns.some((pattern) => pattern.exec(title)?.slice(1).every(holds) ?? false) ||
      named.some((text) => text.includes(`'${title.replaceAll("'", "\\'")}'`)),
  };
}
