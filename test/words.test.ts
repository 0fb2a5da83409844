import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import { sourceFiles } from './house.ts';

// The words of GLOSSARY.md, "Words we use", that a name never has; the cure for each is there.
const barredInNames = /^(?:told|tell|tells|teller|anew|stands|whoever|most|least|longest|shortest|fewest)$/;
// Superlatives that are no limits, and the bounds of a figure.
const superlatives =
  /^(?:(?:most|least)(?:Common|Recent|Active|Alike|Frequent|Different|Latest)\w*|longest\w*|shortest\w*|fewest|atMost|atLeast)$/;
// A store of version 0.1 is read by the names that it holds.
const storedNames: Readonly<Record<string, readonly string[]>> = {
  'broker/views/webhook-table.ts': ['told', 'lastToldAt'],
};
const barredInProse = /\b(?:told|anew|whoever)\b/i;

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const files = sourceFiles(root).filter(({ path }) => path !== 'test/words.test.ts');

/** The names that a file declares: what follows a keyword of declaration, or comes before a colon. */
function declaredNames(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, ' ');
  const patterns = [
    /\b(?:const|let|function\*?|class|interface|type|get|set|readonly)\s+([A-Za-z_$][\w$]*)/g,
    /[{(,]\s*(?:\.\.\.)?#?([A-Za-z_$][\w$]*)\s*(?=[,:)}=])/g,
    /^\s*(?:readonly |static |async |private )*#?([A-Za-z_$][\w$]*)[?!]?\s*(?=[:(=])/gm,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name));
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** The names of a text that have a barred word. */
function barredNames(text: string): string[] {
  return declaredNames(text).filter(
    (name) =>
      !/^[A-Z]+_[A-Z_]+$/.test(name) &&
      !superlatives.test(name) &&
      wordsOf(name).some((word) => barredInNames.test(word)),
  );
}

test('no name has a word that the glossary bars', () => {
  const faults = files.flatMap(({ path, text }) =>
    [...new Set(barredNames(text))]
      .filter((name) => storedNames[path]?.includes(name) !== true)
      .map((name) => `${path}: ${name}`),
  );
  assert.deepEqual(faults, []);
  const planted =
    'const toldPeers = 1; interface A { readonly isAnew: boolean; x: 1 }\n  #mostUrls = 2;\nf(tellAll, mostRecent);';
  assert.deepEqual(
    [...new Set(barredNames(planted))].toSorted(),
    ['toldPeers', 'isAnew', 'tellAll', 'mostUrls'].toSorted(),
  );
});

const isFault = (path: string, line: string) =>
  barredInProse.test(line) && storedNames[path] === undefined && path !== 'query/words/rarity-table.ts';

test('no source and no page of the manual has a word that the glossary bars', () => {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path: `docs/${path}`, text: readFileSync(join(root, 'docs', path), 'utf8') }));
  const faults = [...files, ...pages].flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (isFault(path, line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  );
  assert.deepEqual(faults, []);
});
