import { readFile, stat } from 'node:fs/promises';
import { Synonyms } from '../../../broker/index.ts';
import { failure } from '../../../kernel/index.ts';
import type { EffectiveConfig } from '../../config/config.ts';
import { cliErrors } from '../../config/errors.ts';

const maxFileBytes = 4 * 1024 * 1024;

/** Whether an entry is the path of a file rather than a line of words. */
const isPath = (entry: string) => /^\.{0,2}\//.test(entry) || /^[^,=]+\.(?:txt|syn)$/.test(entry);

/** The synonyms of `broker.synonyms`, files read; undefined for none. Throws CLI_BAD_SETTING. */
export async function topicSynonyms(config: EffectiveConfig): Promise<Synonyms | undefined> {
  const lines: string[] = [];
  for (const entry of config.list('broker.synonyms')) {
    if (isPath(entry)) lines.push(...(await linesOf(entry, config)));
    else lines.push(entry);
  }
  return lines.length === 0 ? undefined : new Synonyms(lines);
}

async function linesOf(path: string, config: EffectiveConfig): Promise<string[]> {
  const bad = (problem: string) =>
    failure(cliErrors.CLI_BAD_SETTING, {
      key: 'broker.synonyms',
      at: config.origin('broker.synonyms'),
      problem,
      cure: 'name a text file of lines such as "car, automobile"',
    });
  try {
    if ((await stat(path)).size > maxFileBytes) throw bad(`names ${path}, which is larger than 4 MiB`);
    return (await readFile(path, 'utf8')).split(/\r?\n/);
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT'
      ? bad(`names ${path}, which is not there`)
      : error;
  }
}
