import type { FederatedAnswer, SearchAnswer, TogetherAnswer } from '../../broker/index.ts';
import { count } from '../text/number-formats.ts';
import { type Output, terminalSafe } from '../text/output.ts';

type AnyAnswer = SearchAnswer | TogetherAnswer | FederatedAnswer;
type AnyHit = AnyAnswer['hits'][number];

/** Omitted Brokers that are printed. */
const maxOmitted = 5;

/** The answer to a search of one Broker or of several, as text for a terminal. */
export function answerLines(answer: AnyAnswer, typed: string, output: Pick<Output, 'style'>): string {
  const { tookMs, relaxed } = answer;
  const scanned =
    'scanned' in answer && answer.scanned !== undefined
      ? `, ${answer.scanned.read} of ${answer.scanned.of} objects read`
      : '';
  const covered =
    'coverage' in answer
      ? ` of ${answer.coverage.answered} of ${count(answer.coverage.asked, 'Broker')}`
      : '';
  const head = `${count(answer.total, 'result')}${covered} in ${tookMs} ms${relaxed ? ' (no result has every word)' : ''}${scanned}`;
  const names = new Map('brokers' in answer ? answer.brokers.map(({ name, title }) => [name, title]) : []);
  return [
    head,
    ...meantWords(typed, answer).map(terminalSafe),
    ...missingLines(answer),
    ...answer.notes.map((note) => `  ${terminalSafe(note)}`),
    ...answer.hits.map((hit) => hitLines(hit, names, output)),
  ].join('\n');
}

/** The Brokers whose hits are missing, each with the reason. */
function missingLines(answer: AnyAnswer): string[] {
  if (!('brokers' in answer)) return [];
  const without = (name: string, title: string | undefined, why: string | null) =>
    terminalSafe(`  without ${title === undefined ? name : `${title} (${name})`}: ${why ?? ''}`);
  const silent = answer.brokers
    .filter(({ error }) => error !== null)
    .map(({ name, title, error }) => without(name, title, error));
  if (!('omitted' in answer)) return silent;
  const omitted = answer.omitted.slice(0, maxOmitted);
  const rest = answer.omittedTotal - omitted.length;
  return [
    ...silent,
    ...omitted.map(({ name, title, why }) => without(name, title, why)),
    ...(rest > 0 ? [`  and without ${count(rest, 'more Broker')}`] : []),
  ];
}

function hitLines(
  hit: AnyHit,
  names: ReadonlyMap<string, string | undefined>,
  output: Pick<Output, 'style'>,
): string {
  const { title, url, snippet, matches, lines, alsoTotal = 0, shown = [], section } = hit;
  const marked = (text: string, spans: readonly (readonly [number, number])[]) => {
    const parts: string[] = [];
    let at = 0;
    for (const [start, end] of spans) {
      parts.push(
        terminalSafe(text.slice(at, start)),
        output.style('bold', terminalSafe(text.slice(start, end))),
      );
      at = end;
    }
    return `${parts.join('')}${terminalSafe(text.slice(at))}`;
  };
  const described =
    lines.length === 0
      ? [marked(snippet, matches)]
      : lines.map(
          (line) => `${terminalSafe(line.attribute)}:${line.line}: ${marked(line.text, line.matches)}`,
        );
  const also = alsoTotal === 0 ? '' : ` (and at ${count(alsoTotal, 'other address', 'other addresses')})`;
  const head = `\n${output.style('cyan', terminalSafe(title))}\n  ${output.style('dim', terminalSafe(section?.url ?? url))}${also}`;
  const attributes = shown.map(({ label, value }) => `${terminalSafe(label)}: ${terminalSafe(value)}`);
  return [head, ...described, ...attributes, ...foundAt(hit, names)].join('\n  ');
}

/** The Brokers of a hit, where they have names or are several. */
function foundAt(hit: AnyHit, names: ReadonlyMap<string, string | undefined>): string[] {
  if (!('broker' in hit)) return [];
  const { broker, alsoAt } = hit;
  if (names.get(broker) === undefined && alsoAt.length === 0) return [];
  const nameOf = (url: string) => terminalSafe(names.get(url) ?? url);
  const others = alsoAt
    .map((at) => `${nameOf(at.broker)}${at.url === hit.url ? '' : ` as ${terminalSafe(at.url)}`}`)
    .join(', ');
  return [`from ${nameOf(broker)}${others === '' ? '' : `, also at ${others}`}`];
}

/** A note about the corrected query: its results are shown, or it is only a suggestion. */
function meantWords(
  typed: string,
  {
    corrected = null,
    suggestion = null,
  }: { readonly corrected?: string | null; readonly suggestion?: string | null },
): string[] {
  if (corrected !== null)
    return [`no results for ${typed}; showing results for ${corrected} (--exact turns this off)`];
  return suggestion === null ? [] : [`did you mean ${suggestion}?`];
}
