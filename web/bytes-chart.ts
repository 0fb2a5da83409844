import { element, type ViewElement } from './client/element.ts';
import { isoTime, size } from './client/wording.ts';
import type { ShownRound } from './status-data.ts';

const width = 576;
const height = 132;
const left = 52;
const bottom = 20;
const barsHigh = height - bottom - 8;

/** Colours there are for schemes; further ones share the last. */
const colours = 4;

/** What was run in a round, as one word. */
export function schemeWords({ schemes }: ShownRound): string {
  return schemes.length === 0 ? 'nothing new' : schemes.join(', ');
}

const bytesOf = ({ bytesUp, bytesDown }: ShownRound) => bytesUp + bytesDown;

/** Names in the order in which they first appear, each with its class of colour; what found nothing new is pale. */
function legendOf(rounds: readonly ShownRound[]): ReadonlyMap<string, string> {
  const legend = new Map<string, string>();
  for (const round of rounds) {
    const name = schemeWords(round);
    if (legend.has(name)) continue;
    const used = [...legend.values()].filter((colour) => colour !== 'idle').length;
    legend.set(name, round.schemes.length === 0 ? 'idle' : `scheme${Math.min(used + 1, colours)}`);
  }
  return legend;
}

/**
 * Bytes of each round as bars from left to right, on a logarithmic scale: a first collection and a question without
 * news are both to be seen. `id` makes the ids in it unique on its page.
 */
export function bytesChart(rounds: readonly ShownRound[], id: string, name: string): ViewElement {
  const legend = legendOf(rounds);
  const top = Math.max(2, Math.ceil(Math.log10(Math.max(...rounds.map(bytesOf), 100))));
  const y = (bytes: number) => barsHigh * (1 - Math.max(0, Math.log10(Math.max(1, bytes))) / top);
  const step = (width - left) / Math.max(rounds.length, 12);
  const bar = Math.min(28, step * 0.72);
  const between = Math.ceil(top / 4);
  const powers = Array.from({ length: top + 1 }, (_, power) => power).filter(
    (power) => power % between === 0,
  );
  return element(
    'figure',
    { class: 'chart' },
    element(
      'svg',
      {
        ...{ viewBox: `0 0 ${width} ${height}`, role: 'img', xmlns: 'http://www.w3.org/2000/svg' },
        'aria-labelledby': `${id}-title ${id}-about`,
      },
      element('title', { id: `${id}-title` }, `Bytes by round with ${name}`),
      element('desc', { id: `${id}-about` }, about(rounds)),
      powers.map((power) => [
        element('line', {
          class: 'grid',
          x1: left,
          x2: width,
          y1: 8 + y(10 ** power),
          y2: 8 + y(10 ** power),
        }),
        element('text', { x: left - 8, y: 12 + y(10 ** power), 'text-anchor': 'end' }, size(10 ** power)),
      ]),
      rounds.map((round, at) => {
        const high = y(bytesOf(round));
        return element(
          'rect',
          {
            class: `bar ${legend.get(schemeWords(round)) ?? 'idle'}`,
            x: Number((left + at * step + (step - bar) / 2).toFixed(1)),
            y: Number((8 + high).toFixed(1)),
            width: Number(bar.toFixed(1)),
            height: Number(Math.max(1, barsHigh - high).toFixed(1)),
          },
          element('title', {}, `${isoTime(round.at) ?? ''} ${schemeWords(round)}: ${size(bytesOf(round))}`),
        );
      }),
      element('text', { x: left, y: height - 4 }, 'oldest'),
      element('text', { x: width, y: height - 4, 'text-anchor': 'end' }, 'newest'),
    ),
    element(
      'figcaption',
      {},
      `Bytes by round, up and down; each grid line is ${timesWords(between)} the one below: `,
      [...legend].map(([scheme, colour], at) => [
        at > 0 && ', ',
        element('span', { class: `key ${colour}` }, scheme),
      ]),
    ),
  );
}

/** `ten times`, for a power of ten. */
const timesWords = (power: number) =>
  ['ten times', 'a hundred times', 'a thousand times'][power - 1] ??
  `${(10 ** power).toLocaleString('en')} times`;

function about(rounds: readonly ShownRound[]): string {
  const max = Math.max(...rounds.map(bytesOf));
  const last = rounds.at(-1);
  return `${rounds.length} rounds; the largest took ${size(max)}, the last ${size(last ? bytesOf(last) : 0)}. The table below has each of them.`;
}
