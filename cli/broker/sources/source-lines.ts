import type { ListedSource } from '../../../broker/index.ts';
import { formatDuration } from '../../../kernel/index.ts';
import { filterWords } from '../../config/source-filters.ts';
import { count } from '../../text/number-formats.ts';
import { terminalSafe } from '../../text/output.ts';

/** Sources as text, some lines each. */
export function sourceLines(sources: readonly ListedSource[]): string {
  return (
    sources.map(lines).join('\n') || '  no sources; add one with garner broker source add ws://HOST:8500'
  );
}

function lines(source: ListedSource): string {
  const { name, url, state, objects, lastLearnedAt, error, from, intervalSeconds, filter } = source;
  const learned =
    lastLearnedAt === null ? 'never learned' : `learned ${new Date(lastLearnedAt * 1000).toISOString()}`;
  const wanted = filter === null ? '' : `; filter: ${terminalSafe(filterWords(filter))}`;
  const every = intervalSeconds === null ? '' : `; every ${formatDuration(intervalSeconds)}`;
  const wrong = error === null ? '' : `, ${terminalSafe(error)}`;
  return [
    `  ${terminalSafe(url)}  ${terminalSafe(name)}`,
    `    ${state === 'waiting' ? 'waiting for its push' : state}${wrong}, ${count(objects, 'object')}, ${learned}`,
    `    ${terminalSafe(from)}${every}${wanted}`,
  ].join('\n');
}
