import { element, type ViewElement } from './client/element.ts';

const [width, height] = [720, 280];
const [left, right, top, bottom] = [64, 8, 12, 28];
const maxLabels = 6;
// Below it the steps between marks are not representable.
const smallestSpan = 1e-100;

export type PlotKind = 'line' | 'bar';

interface Point {
  readonly label: string;
  readonly value: number;
}

const rounded = (value: number) => Math.round(value * 100) / 100;

/** Round numbers that cover a range, three to six of them. */
export function ticks(min: number, max: number): number[] {
  const span = Math.max(max - min, Math.abs(max) * 1e-9, smallestSpan);
  const power = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((times) => times * power).find((size) => span / size <= 5) ?? span;
  const first = Math.floor(min / step) * step;
  const count = Math.min(12, Math.ceil((Math.max(max, min + span / 10) - first) / step) + 1);
  return Array.from({ length: count }, (_, index) => Number((first + index * step).toPrecision(12)));
}

/** Points as bars from zero, or joined by a line; undefined where there are none. The table has the same data as text. */
export function plotView(points: readonly Point[], kind: PlotKind, title: string): ViewElement | undefined {
  if (points.length === 0) return undefined;
  const values = points.map(({ value }) => value);
  const zero = kind === 'bar' ? [0] : [];
  const marks = ticks(Math.min(...values, ...zero), Math.max(...values, ...zero));
  const [low, high] = [marks[0] ?? 0, marks.at(-1) ?? 1];
  const slot = (width - left - right) / points.length;
  const x = (index: number) => rounded(left + (index + 0.5) * slot);
  const y = (value: number) => rounded(top + ((high - value) / (high - low || 1)) * (height - top - bottom));
  const grid = marks.map((mark) => [
    element('path', { class: 'grid', d: `M${left} ${y(mark)}H${width - right}` }),
    element('text', { x: left - 8, y: y(mark) + 4, 'text-anchor': 'end' }, mark.toLocaleString('en')),
  ]);
  const every = Math.ceil(points.length / maxLabels);
  const labels = points.flatMap(({ label }, index) =>
    index % every === 0
      ? [element('text', { x: x(index), y: height - 8, 'text-anchor': 'middle' }, label.slice(0, 14))]
      : [],
  );
  const base = y(Math.max(low, Math.min(0, high)));
  const drawn =
    kind === 'line'
      ? [
          element('polyline', {
            class: 'line',
            points: values.map((value, at) => `${x(at)},${y(value)}`).join(' '),
          }),
        ]
      : values.map((value, at) =>
          element('rect', {
            ...{ class: 'bar', x: rounded(x(at) - slot * 0.4), width: rounded(slot * 0.8) },
            ...{ y: Math.min(y(value), base), height: rounded(Math.abs(y(value) - base)) },
          }),
        );
  return element(
    'figure',
    { class: 'chart' },
    element(
      'svg',
      { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': title, class: 'scheme1' },
      grid,
      drawn,
      labels,
    ),
    element('figcaption', {}, title),
  );
}
