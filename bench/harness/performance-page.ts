import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFolder } from './machine.ts';
import { replaceMarked } from './report.ts';

const page = join(packageFolder(), 'docs/performance.md');

/** Whether docs/performance.md has a place for a benchmark. */
export async function hasPlace(benchmark: string): Promise<boolean> {
  return (await readFile(page, 'utf8')).includes(`<!-- bench:${benchmark} -->`);
}

/** Replace a benchmark's report in docs/performance.md. Throws TypeError when the page has no place for it. */
export async function writePerformance(benchmark: string, body: string): Promise<void> {
  await writeFile(page, replaceMarked(await readFile(page, 'utf8'), benchmark, body));
}
