// The value of stemming in the language of a text: search for known items among this machine's manual pages in other
// languages. A query is the line that describes a page, and the answer is that page without the line.
import { parseArgs } from 'node:util';
import type { Language } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { writePerformance } from '../harness/report.ts';
import { withIndex } from './engine.ts';
import { type ManualPage, manualPagesByLanguage } from './manual-pages.ts';
import { type Quality, qualityOf } from './quality.ts';

const usualRoot = '/usr/share/man';
/** Min number of pages of a language: fewer give no useful figure. */
const minPages = 25;
const depth = 100;

/** The declared language of the same pages; undefined: none, as for most pages on the web. */
const systems: readonly { readonly name: string; readonly language: Language | undefined }[] = [
  { name: 'garner', language: undefined },
  { name: 'english', language: 'en' },
  // This language has its own stop words and no stems.
  { name: 'unstemmed', language: 'ko' },
];

interface LanguageRow {
  readonly language: Language;
  readonly system: string;
  readonly queries: number;
  readonly success1: number;
  readonly mrr: number;
  readonly recall10: number;
}

async function measure(pages: readonly ManualPage[], declared: Language | undefined): Promise<Quality> {
  const objects = pages.map(({ name, text }) =>
    summaryObject(`http://manual.example.org/${encodeURIComponent(name)}`, [
      ['Full-Text', text],
      ...(declared === undefined ? [] : ([['Language', declared]] as const)),
    ]),
  );
  const rankings = await withIndex(objects, async ({ ask }) => {
    const all: (readonly number[])[] = [];
    for (const { about } of pages)
      all.push(await ask(about.replace(/[^\p{L}\p{N}\p{M}]+/gu, ' '), true, depth));
    return all;
  });
  return qualityOf(
    rankings,
    pages.map(({ about }, place) => ({ text: about, relevant: new Set([place]) })),
  );
}

function table(rows: readonly LanguageRow[]): string {
  const lines = [
    '| pages in | number | system | first | MRR | in ten |',
    '| --- | --: | --- | --: | --: | --: |',
  ];
  for (const { language, system, queries, success1, mrr, recall10 } of rows) {
    const [name, count] = system === systems[0]?.name ? [language, String(queries)] : ['', ''];
    const cells = [success1, mrr, recall10].map((value) => value.toFixed(3));
    lines.push(`| ${name} | ${count} | ${system} | ${cells.join(' | ')} |`);
  }
  for (const { name } of systems) {
    const own = rows.filter(({ system }) => system === name);
    const all = own.reduce((sum, { queries }) => sum + queries, 0);
    const mean = (of: (row: LanguageRow) => number) =>
      (own.reduce((sum, row) => sum + row.queries * of(row), 0) / Math.max(1, all)).toFixed(3);
    const cells = [mean((row) => row.success1), mean((row) => row.mrr), mean((row) => row.recall10)];
    lines.push(`| all | ${all} | ${name} | ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

/**
 * Measure `[FOLDER] [--json] [--write]`, FOLDER holding folders of manual pages by language. Resolves to the exit
 * code, or to a usage error as a string.
 */
export async function benchLanguages(args: readonly string[]): Promise<number | string> {
  let parsed: ReturnType<typeof understand>;
  try {
    parsed = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  const { root, json, write } = parsed;
  const rows: LanguageRow[] = [];
  for (const [language, pages] of await manualPagesByLanguage(root)) {
    process.stderr.write(`  ${language}: ${pages.length} pages\n`);
    if (pages.length < minPages) continue;
    for (const { name, language: declared } of systems) {
      const { queries, success1, mrr, recall10 } = await measure(pages, declared);
      rows.push({ language, system: name, queries, success1, mrr, recall10 });
    }
  }
  if (rows.length === 0) return `${root} holds no ${minPages} manual pages in one other language`;
  if (json) process.stdout.write(`${JSON.stringify(rows)}\n`);
  else process.stdout.write(table(rows));
  if (write) await writePerformance('languages', table(rows));
  return 0;
}

function understand(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: flag, write: flag },
  });
  const [root = usualRoot, ...more] = positionals;
  if (more.length > 0) throw new TypeError('languages takes one folder');
  return { root, ...values };
}
