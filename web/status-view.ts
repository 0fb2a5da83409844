import { bytesChart, schemeWords } from './bytes-chart.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { age, count, duration, isoTime, size } from './client/wording.ts';
import type { ShownMeasure, ShownRound, SourceDetails, StatusDetails } from './status-data.ts';
import { wideTable } from './wide-table.ts';

/** The status page below the box: the objects of this Broker, and the cost of the rounds with each source. */
export function statusView(status: StatusDetails, now: number): ViewElement {
  return element(
    'div',
    { class: 'main status' },
    element('h1', {}, `${count(status.objects, 'object')} from ${count(status.sources.length, 'source')}`),
    element(
      'p',
      { class: 'quiet' },
      `${size(status.summaryBytes)} of summaries, ${count(status.indexed, 'object')} in the index.`,
    ),
    status.sources.map((source, at) => sourceView(source, `source${at}`, now)),
  );
}

const timeView = (seconds: number, now: number): ViewElement =>
  element('time', { datetime: isoTime(seconds) }, age(seconds, now));

function sourceView(source: SourceDetails, id: string, now: number): ViewElement {
  const { name, url, rounds, measures, wanted } = source;
  return element(
    'section',
    { 'aria-labelledby': `${id}-name` },
    element('h2', { id: `${id}-name` }, element('bdi', {}, name)),
    element(
      'ul',
      { class: 'facts' },
      element('li', {}, element('bdi', {}, url)),
      element('li', {}, count(source.objects, 'object')),
      element('li', {}, stateWords(source, now)),
    ),
    wanted !== '' && element('p', { class: 'quiet' }, 'Filter: ', element('bdi', {}, wanted)),
    rounds.length > 0
      ? [bytesChart(rounds, id, name), roundsTable(rounds, name, now)]
      : element('p', { class: 'quiet' }, 'No round yet since the start of this Broker.'),
    measures.length > 0 && measuresTable(measures, name, now),
  );
}

function stateWords({ state, error, lastLearnedAt }: SourceDetails, now: number): Child {
  if (state === 'down') return ['does not answer', error !== null && `: ${error}`];
  if (state === 'full' || state === 'no room') return [state, error !== null && `: ${error}`];
  if (state === 'connecting') return 'connecting';
  if (state === 'paused') return 'paused';
  if (state === 'waiting')
    return [
      'waiting for its push',
      error !== null && `: ${error}`,
      lastLearnedAt !== null && ['; checked ', timeView(lastLearnedAt, now)],
    ];
  return lastLearnedAt === null ? 'not yet checked' : ['checked ', timeView(lastLearnedAt, now)];
}

function roundsTable(rounds: readonly ShownRound[], name: string, now: number): ViewElement {
  const rows = rounds.toReversed().map((round) => {
    const { at, bytesUp, bytesDown, learned, forgotten, ms } = round;
    const numbers = [size(bytesUp), size(bytesDown), learned.toLocaleString('en')];
    return [timeView(at, now), ...numbers, forgotten.toLocaleString('en'), schemeWords(round), duration(ms)];
  });
  const heads = ['Round', 'Up', 'Down', 'Learned', 'Forgotten', 'Scheme', 'Time'];
  return element(
    'details',
    {},
    element('summary', {}, `The last ${count(rounds.length, 'round')}`),
    wideTable(`Rounds with ${name}, newest first`, heads, rows, [1, 2, 3, 4]),
  );
}

function measuresTable(measures: readonly ShownMeasure[], name: string, now: number): ViewElement {
  const rows = measures.map(({ scheme, at, bytes, predictedBytes }) => [
    ...[scheme, size(predictedBytes), size(bytes)],
    predictedBytes === 0 ? '' : `${Math.round((100 * bytes) / predictedBytes)} %`,
    timeView(at, now),
  ]);
  const label = `Bytes of the last round of each single scheme with ${name}`;
  return element(
    'div',
    {},
    element('h3', {}, 'Predicted and measured bytes'),
    wideTable(label, ['Scheme', 'Predicted', 'Measured', 'Ratio', 'Time'], rows, [1, 2, 3]),
  );
}
