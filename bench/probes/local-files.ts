import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The cost of reading every file of a folder in this process, after a warm-up. */
export interface LocalFilesMeasured {
  readonly files: number;
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Read each file of a folder `times` times over, after one pass that warms up. */
export function readLocalFiles(folder: string, times: number): LocalFilesMeasured {
  const paths = readdirSync(folder).map((name) => join(folder, name));
  for (const path of paths) readFileSync(path);
  const before = process.cpuUsage();
  const started = performance.now();
  for (let at = 0; at < times; at++) for (const path of paths) readFileSync(path);
  const seconds = (performance.now() - started) / 1000 / times;
  const { user, system } = process.cpuUsage(before);
  return { files: paths.length, cpuSeconds: (user + system) / 1e6 / times, seconds };
}

/** The same as a separate process that prints its result: FOLDER TIMES. */
export function runLocalFilesHere([folder = '', times = '1']: readonly string[]): void {
  process.stdout.write(`${JSON.stringify(readLocalFiles(folder, Number(times)))}\n`);
}
