import type { Feature, Register } from './features/feature.ts';

/** The possible titles of tests: a Set of the titles of a run, or the titles that the sources can make. */
export interface Titles {
  has(title: string): boolean;
}

const formOfId = /^[a-z]+(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/;
const formOfSentence = /^[A-Z`].*[^.\s]\.$/;

const statusOf = (feature: Feature, titles: Titles): 'ok' | 'figure' | 'missing' => {
  if ('bench' in feature) return 'figure';
  return 'test' in feature && titles.has(feature.test) ? 'ok' : 'missing';
};

/**
 * The faults of a register, as sentences: ill-formed and doubled ids, doubled sentences, titles that no test has. An
 * entry that names what is missing is no fault.
 */
export function featureFaults(register: Register, titles: Titles): string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  const sentences = new Map<string, string>();
  for (const [id, feature] of register) {
    if (!formOfId.test(id)) faults.push(`${id}: an id is lower-case words joined by dots`);
    if (ids.has(id)) faults.push(`${id}: two features have this id`);
    ids.add(id);
    if (!formOfSentence.test(feature.feature)) faults.push(`${id}: "${feature.feature}" is no sentence`);
    const sentence = feature.feature.toLowerCase();
    const other = sentences.get(sentence);
    if (other !== undefined) faults.push(`${id}: its sentence is that of ${other}`);
    else sentences.set(sentence, id);
    if ('test' in feature && !titles.has(feature.test))
      faults.push(`${id}: no test is called "${feature.test}"`);
    if ('missing' in feature && feature.missing === '') faults.push(`${id}: the reason is empty`);
  }
  return faults;
}

/** The register as a text table: id, sentence, and `ok`, `figure` or `missing`; sums in the last line. */
export function featureTable(register: Register, titles: Titles): string {
  const width = Math.max(0, ...register.map(([id]) => id.length));
  const counts = { ok: 0, figure: 0, missing: 0 };
  const lines = register.map(([id, feature]) => {
    const status = statusOf(feature, titles);
    counts[status]++;
    return `${status.padEnd(8)}${id.padEnd(width + 2)}${feature.feature}\n`;
  });
  const { ok, figure, missing } = counts;
  return `${lines.join('')}${register.length} features: ${ok} ok, ${figure} figures, ${missing} missing\n`;
}

/** The rows of docs/performance.md under its benches: bench, heading, first cell. */
export function benchRows(page: string): { bench: string; table: string; row: string }[] {
  const rows: { bench: string; table: string; row: string }[] = [];
  let bench = '';
  let table = '';
  for (const line of page.split('\n')) {
    const mark = /^<!-- (\/?)bench:([\w-]+) -->$/.exec(line);
    const cell = /^\| (.*?) \|/.exec(line)?.[1];
    if (mark !== null) {
      bench = mark[1] === '/' ? '' : (mark[2] as string);
      table = '';
    } else if (line.startsWith('### ')) table = line.slice(4);
    else if (bench !== '' && cell !== undefined) rows.push({ bench, table, row: cell.trim() });
  }
  return rows;
}

/** The faults of the figures of a register: a bench that `benches` lacks, a row that the page lacks or has twice. */
export function figureFaults(register: Register, page: string, benches: ReadonlySet<string>): string[] {
  const rows = benchRows(page);
  return register.flatMap(([id, feature]) => {
    if (!('bench' in feature)) return [];
    const { bench, table, row } = feature;
    if (!benches.has(bench)) return [`${id}: there is no bench ${bench}`];
    const found = rows.filter(
      (one) => one.bench === bench && one.row === row && (table === undefined || one.table === table),
    );
    if (found.length === 1) return [];
    const where = `row "${row}" of bench ${bench}`;
    return [
      found.length === 0
        ? `${id}: the page has no ${where}`
        : `${id}: the page has ${found.length} times ${where}`,
    ];
  });
}
