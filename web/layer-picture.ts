import { cutAtWord } from './client/cut-text.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { boxHigh, type Curve, type Format, layOut, type Place } from './layer-layout.ts';

/** A box of the picture. */
export interface Box {
  readonly id: string;
  readonly name: string;
  /** A line below the name; none when empty. */
  readonly note: string;
  /** The classes that style it. */
  readonly kind: string;
  /** What the box shows, in words for those who cannot see it; the name and the note when absent. */
  readonly about?: string;
  /** Where it leads, for the pointer and the keys. */
  readonly href?: string;
  /** A box of several: the ids of those that are not drawn. */
  readonly hides?: readonly string[];
}

/** A line between two boxes, which need not be drawn. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  /** Has a mark in its middle. */
  readonly isCrossed?: boolean;
}

export interface Layer {
  /** Written above its boxes; none when empty. */
  readonly name: string;
  readonly boxes: readonly Box[];
}

/** At most `max` boxes; the last one is `more` of those for which there is no place, and of `others` that are none. */
export function bounded(
  boxes: readonly Box[],
  max: number,
  more: (rest: readonly Box[]) => Pick<Box, 'note' | 'kind'> & Partial<Box>,
  others = 0,
): readonly Box[] {
  if (boxes.length <= max && others === 0) return boxes;
  const rest = boxes.slice(max - 1);
  const id = `more:${rest[0]?.id ?? ''}`;
  const hides = rest.map((box) => box.id);
  return [
    ...boxes.slice(0, max - 1),
    { id, name: `and ${(rest.length + others).toLocaleString('en')} more`, hides, ...more(rest) },
  ];
}

/** A text cut to its place; the port of a host goes first. */
function cut(text: string, max: number): string {
  const short = text.length <= max ? text : text.replace(/:\d+$/, '');
  return cutAtWord(short, max);
}

const round = (value: number) => Number(value.toFixed(1));

function boxView(box: Box, id: string, { x, y }: Place, { boxWide }: Format): ViewElement {
  const { name, note, kind, href, about = note === '' ? name : `${name}: ${note}` } = box;
  const middle = round(x + boxWide / 2);
  // Some eight units for a letter of the name, which is bold, and seven for one below it.
  const [ofName, ofNote] = [Math.floor((boxWide - 8) / 8), Math.floor((boxWide - 8) / 7)];
  const parts: Child = [
    element('title', {}, about),
    element('rect', { x: round(x), y: round(y), width: boxWide, height: boxHigh, rx: 6 }),
    element(
      'text',
      { class: 'name', x: middle, y: round(y + (note === '' ? 26 : 18)), 'text-anchor': 'middle' },
      cut(name, ofName),
    ),
    note !== '' &&
      element('text', { x: middle, y: round(y + 34), 'text-anchor': 'middle' }, cut(note, ofNote)),
  ];
  if (href === undefined) return element('g', { class: `box ${kind}`, id }, parts);
  return element('a', { class: `box ${kind}`, id, href }, parts);
}

const point = ({ x, y }: Place) => `${round(x)} ${round(y)}`;

const pathOf = (curves: readonly Curve[]) =>
  curves
    .map(
      ([from, a, b, to], at) => `${at === 0 ? `M${point(from)}` : ''}C${point(a)} ${point(b)} ${point(to)}`,
    )
    .join('');

/** The middle of a line, on its longest curve. */
function middleOf(curves: readonly Curve[]): Place {
  const long = ([from, , , to]: Curve) => Math.hypot(to.x - from.x, to.y - from.y);
  const [[from, a, b, to] = []] = curves.toSorted((one, other) => long(other) - long(one));
  if (from === undefined || a === undefined || b === undefined || to === undefined) return { x: 0, y: 0 };
  const at = (axis: 'x' | 'y') => (from[axis] + 3 * a[axis] + 3 * b[axis] + to[axis]) / 8;
  return { x: at('x'), y: at('y') };
}

function edgeView({ kind, isCrossed }: Edge, curves: readonly Curve[]): Child {
  if (curves.length === 0) return undefined;
  const { x, y } = middleOf(curves);
  return [
    element('path', { class: `edge ${kind}`, d: pathOf(curves) }),
    isCrossed === true &&
      element('path', {
        class: `cross ${kind}`,
        d: `M${round(x - 4)} ${round(y - 4)}l8 8M${round(x + 4)} ${round(y - 4)}l-8 8`,
      }),
  ];
}

export interface Picture {
  readonly id: string;
  readonly title: string;
  /** What the picture shows, in a sentence. */
  readonly about: string;
  readonly layers: readonly Layer[];
  readonly edges: readonly Edge[];
}

/** Draw layers of boxes in one format; `name` is its class. Several edges between two boxes become one, the last one. */
export function drawn(
  { id, title, about, layers, edges }: Picture,
  format: Format,
  name: string,
): ViewElement {
  const boxes = layers.flatMap((layer) => layer.boxes);
  const number = new Map<string, number>();
  for (const [at, box] of boxes.entries())
    for (const own of [box.id, ...(box.hides ?? [])]) number.set(own, at);
  const between = new Map<string, { readonly from: number; readonly to: number; readonly edge: Edge }>();
  for (const edge of edges) {
    const [from, to] = [number.get(edge.from), number.get(edge.to)];
    if (from === undefined || to === undefined || from === to) continue;
    between.set(`${Math.min(from, to)} ${Math.max(from, to)}`, { from, to, edge });
  }
  const links = [...between.values()];
  const layout = layOut(
    layers.map((layer) => ({ count: layer.boxes.length, isNamed: layer.name !== '' })),
    links,
    format,
  );
  const hasLinks = boxes.some(({ href }) => href !== undefined);
  return element(
    'svg',
    {
      ...{ class: name, viewBox: `0 0 ${format.width} ${round(layout.height)}` },
      // The parts of an image are hidden from the keys and from readers.
      role: hasLinks ? 'group' : 'img',
      xmlns: 'http://www.w3.org/2000/svg',
      'aria-labelledby': `${id}-${name}-title ${id}-${name}-about`,
    },
    element('title', { id: `${id}-${name}-title` }, title),
    element('desc', { id: `${id}-${name}-about` }, about),
    links.map(({ edge }, at) => edgeView(edge, layout.lines[at] ?? [])),
    layers.map(
      (layer, at) =>
        layer.name !== '' &&
        layer.boxes.length > 0 &&
        element('text', { class: 'layer', x: 0, y: round(layout.labels[at] ?? 0) }, layer.name),
    ),
    boxes.map((box, at) =>
      boxView(box, `${id}-${name}-${box.id}`, layout.boxes[at] ?? { x: 0, y: 0 }, format),
    ),
  );
}
