// Makes query/words/rarity-table.ts: how rare words are in Debian's documentation. After tsc:
//   node dist/bench/levels/background.js [FOLDER...] > query/words/rarity-table.ts
// What the benchmark of levels searches (the manuals of Python, PostgreSQL and Git) is left out.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { scanWords, termOf } from '../../query/index.ts';

const defaultFolders = ['doc', 'man/man1', 'man/man3', 'man/man5', 'man/man7', 'man/man8'].map(
  (name) => `/usr/share/${name}`,
);
const searched =
  /(?:^|\/)(?:python3|libpython3|postgresql|pg_|psql|git|createdb|dropdb|createuser|dropuser|vacuumdb)/;
const wanted = /(?:\.(?:html?|txt|md|rst|[1-8]\w*)|README[^/]*|NEWS[^/]*|FAQ[^/]*)(?:\.gz)?$/i;
/** Max documents of one package or one family of man pages, so that none dominates the frequencies. */
const maxOfFamily = 40;
const maxBytes = 512 * 1024;
const tableBytes = 94_000;
const rarest = 12;
const lineLength = 320;

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    const path = join(folder, name);
    if (wanted.test(path) && !searched.test(name) && statSync(path, { throwIfNoEntry: false })?.isFile())
      yield path;
  }
}

/** The package of a documentation file, or the name of a man page up to its first hyphen. */
const familyOf = (path: string) =>
  /\/doc\/([^/]+)/.exec(path)?.[1] ?? /([^/]*?)(?:[-_.:][^/]*)?$/.exec(path)?.[1] ?? '';

function textOf(path: string): string {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).subarray(0, maxBytes).toString('utf8');
  if (/\.html?(?:\.gz)?$/i.test(path))
    return text
      .replace(/<(?:script|style)[\s\S]*?<\/(?:script|style)>/gi, ' ')
      .replace(/<[^>]*>|&\w+;/g, ' ');
  if (!path.includes('/man/')) return text;
  return text.replace(/^\.\\".*$|^['.]\s*\S+/gm, ' ').replace(/\\(?:f[A-Z]|f\(..|f\[[^\]]*\]|\(..|.)/g, '');
}

/** The number of documents with each term, and the number of documents read. */
function documentCounts(folders: readonly string[]): { counts: Map<string, number>; documents: number } {
  const families = new Map<string, number>();
  const counts = new Map<string, number>();
  let documents = 0;
  for (const folder of folders) {
    for (const path of filesBelow(folder)) {
      const family = familyOf(path);
      const before = families.get(family) ?? 0;
      if (before >= maxOfFamily) continue;
      families.set(family, before + 1);
      const terms = new Set<string>();
      scanWords(textOf(path), (word) => {
        terms.add(termOf(word));
        return false;
      });
      if (terms.size < 20) continue;
      documents++;
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  return { counts, documents };
}

function tableOf(counts: ReadonlyMap<string, number>, documents: number): string[][] {
  const kept = [...counts]
    .filter(([term]) => /^[\p{L}][\p{L}\p{N}]{0,19}$|^\d{1,4}$/u.test(term))
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const classes: string[][] = Array.from({ length: rarest }, () => []);
  let bytes = 0;
  for (const [term, count] of kept) {
    bytes += Buffer.byteLength(term) + 1;
    const rarity = Math.round(Math.log2(documents / count));
    if (bytes > tableBytes || rarity >= rarest) break;
    (classes[rarity] as string[]).push(term);
  }
  return classes.map((terms) => terms.sort());
}

function wrapped(terms: readonly string[]): string {
  const lines: string[] = [];
  let line = '';
  for (const term of terms) {
    if (line !== '' && line.length + term.length >= lineLength) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? term : ` ${term}`;
  }
  return [...lines, line].join('\n');
}

const given = process.argv.slice(2);
const { counts, documents } = documentCounts(given.length > 0 ? given : defaultFolders);
const classes = tableOf(counts, documents);
process.stderr.write(`${documents} documents, ${classes.flat().length} terms\n`);
process.stdout.write(`// Made by bench/levels/background.ts from ${documents} documents of Debian; do not edit.

/** Text n holds the terms that about one of every 2^n documents has, divided by white space. */
export const rarityTable: readonly string[] = [
${classes.map((terms) => `  \`${wrapped(terms)}\`,`).join('\n')}
];
`);
