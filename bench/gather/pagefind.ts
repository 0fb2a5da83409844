import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Usage } from '../harness/exit-usage.ts';
import { packageFolder } from '../harness/machine.ts';
import { runTimed, timingShell } from '../harness/timed-program.ts';

export const pagefindProgram = join(packageFolder(), 'node_modules/.bin/pagefind');

/** The reason why pagefind cannot run here, or undefined. */
export function pagefindAbsent(): string | undefined {
  if (!existsSync(pagefindProgram)) return 'SKIPPED, pagefind is not installed (npm install)';
  return existsSync(timingShell) ? undefined : 'SKIPPED, no bash here to time pagefind';
}

/** Index the HTML below `site` with pagefind. Its output in `folder` is deleted. */
export async function runPagefind(
  site: string,
  folder: string,
): Promise<Usage & { readonly seconds: number; readonly pages: number }> {
  const command = [pagefindProgram, '--site', site, '--output-path', join(folder, 'pagefind')];
  const { output, ...used } = await runTimed(command);
  await rm(join(folder, 'pagefind'), { recursive: true, force: true });
  return { ...used, pages: pagesReported(output) };
}

/** The number of pages that pagefind reports. */
export function pagesReported(output: string): number {
  const match = /Indexed (\d+) pages?/.exec(output);
  if (match === null) throw new TypeError(`pagefind reported no number of pages: ${output}`);
  return Number(match[1]);
}
