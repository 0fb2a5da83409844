import type { ShownMinute } from './cache-status-data.ts';
import { element, type ViewElement } from './client/element.ts';
import { isoTime } from './client/wording.ts';

const width = 576;
const height = 132;
const left = 52;
const bottom = 20;
const barsHigh = height - bottom - 8;
const shownMinutes = 60;

/** Requests of each minute as bars from left to right, the lower part those answered from here. */
export function hitChart(minutes: readonly ShownMinute[]): ViewElement {
  const last = minutes.slice(-shownMinutes);
  const max = Math.max(...last.map(({ requests }) => requests), 1);
  const step = (width - left) / Math.max(last.length, 12);
  const bar = Math.min(28, step * 0.72);
  const high = (requests: number) => (barsHigh * requests) / max;
  const round = (value: number) => Number(value.toFixed(1));
  const piece = (kind: string, at: number, from: number, to: number) =>
    element('rect', {
      class: `bar ${kind}`,
      x: round(left + at * step + (step - bar) / 2),
      y: round(8 + barsHigh - high(to)),
      width: round(bar),
      height: round(high(to) - high(from)),
    });
  return element(
    'figure',
    { class: 'chart' },
    element(
      'svg',
      {
        ...{ viewBox: `0 0 ${width} ${height}`, role: 'img', xmlns: 'http://www.w3.org/2000/svg' },
        'aria-labelledby': 'hits-title hits-about',
      },
      element('title', { id: 'hits-title' }, 'Requests by minute'),
      element(
        'desc',
        { id: 'hits-about' },
        `${last.length} minutes with requests; the maximum in one was ${max}.`,
      ),
      [0, 0.5, 1].map((part) => [
        element('line', {
          ...{ class: 'grid', x1: left, x2: width },
          ...{ y1: round(8 + barsHigh * (1 - part)), y2: round(8 + barsHigh * (1 - part)) },
        }),
        element(
          'text',
          { x: left - 8, y: round(12 + barsHigh * (1 - part)), 'text-anchor': 'end' },
          Math.round(part * max).toLocaleString('en'),
        ),
      ]),
      last.map(({ at, requests, fromHere }, index) =>
        element(
          'g',
          {},
          element('title', {}, `${isoTime(at) ?? ''}: ${fromHere} of ${requests} from the cache`),
          piece('scheme1', index, 0, fromHere),
          piece('idle', index, fromHere, requests),
        ),
      ),
    ),
    element(
      'figcaption',
      {},
      'Requests by minute: ',
      element('span', { class: 'key scheme1' }, 'from the cache'),
      ', ',
      element('span', { class: 'key idle' }, 'others'),
    ),
  );
}
