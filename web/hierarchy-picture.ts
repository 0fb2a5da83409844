import type { CacheDetails, ShownChild, ShownNeighbour, ShownOrigin } from './cache-status-data.ts';
import { element, type ViewElement } from './client/element.ts';
import { count } from './client/wording.ts';
import {
  boxHigh,
  type Format,
  type Layout,
  type Line,
  layOut,
  narrowFormat,
  type Place,
  wideFormat,
} from './hierarchy-layout.ts';

/** One box of the picture. */
interface Box {
  readonly name: string;
  readonly note: string;
  readonly kind: 'own' | 'parent' | 'sibling' | 'child' | 'origin' | 'more';
  readonly isDown: boolean;
}

/** A text cut to its place; the port of a host goes first. */
function cut(text: string, max: number): string {
  const short = text.length <= max ? text : text.replace(/:\d+$/, '');
  return short.length <= max ? short : `${short.slice(0, max - 1)}…`;
}

const round = (value: number) => Number(value.toFixed(1));

function boxView({ name, note, kind, isDown }: Box, { x, y }: Place, { boxWide }: Format): ViewElement {
  const middle = round(x + boxWide / 2);
  // Some eight units for a letter of the name, which is bold, and seven for one below it.
  const [ofName, ofNote] = [Math.floor((boxWide - 8) / 8), Math.floor((boxWide - 8) / 7)];
  return element(
    'g',
    { class: `box ${kind}${isDown ? ' down' : ''}` },
    element('title', {}, note === '' ? name : `${name}: ${note}`),
    element('rect', { x: round(x), y: round(y), width: boxWide, height: boxHigh, rx: 6 }),
    element(
      'text',
      { class: 'name', x: middle, y: round(y + (note === '' ? 26 : 18)), 'text-anchor': 'middle' },
      cut(name, ofName),
    ),
    note !== '' &&
      element('text', { x: middle, y: round(y + 34), 'text-anchor': 'middle' }, cut(note, ofNote)),
  );
}

const line = (kind: string, { x1, y1, x2, y2 }: Line): ViewElement =>
  element('line', { class: kind, x1: round(x1), y1: round(y1), x2: round(x2), y2: round(y2) });

const activity = ({ hits, fetched }: ShownNeighbour) => hits + fetched;

function neighbourBoxes(neighbours: readonly ShownNeighbour[], role: 'parent' | 'sibling'): readonly Box[] {
  return neighbours
    .filter((one) => one.role === role)
    .toSorted((a, b) => activity(b) - activity(a))
    .map(({ name, state, fetched }) => ({
      ...{ name, kind: role, isDown: state !== 'up' },
      note: `${state}, ${count(fetched, 'fetch', 'fetches')}`,
    }));
}

const childBox = ({ name, address, requests }: ShownChild): Box => ({
  ...{ name: name || address, note: count(requests, 'request'), kind: 'child', isDown: false },
});

const originBox = ({ host, url }: ShownOrigin): Box => ({
  ...{ name: url.replace(/^\w+:\/\//, ''), kind: 'origin', isDown: false },
  note: host === '' ? 'origin' : `for ${host}`,
});

/** At most `max` boxes, the last of which has the number and state of the rest. */
function bounded(boxes: readonly Box[], max: number): readonly Box[] {
  if (boxes.length <= max) return boxes;
  const rest = boxes.slice(max - 1);
  const down = rest.filter(({ isDown }) => isDown).length;
  const isPeers = rest.some(({ kind }) => kind === 'parent' || kind === 'sibling');
  const isOrigins = rest.some(({ kind }) => kind === 'origin');
  const note = isPeers ? `${rest.length - down} up, ${down} not` : isOrigins ? 'origins' : '';
  const more: Box = { name: `and ${rest.length} more`, note, kind: 'more', isDown: down > 0 };
  return [...boxes.slice(0, max - 1), more];
}

/** The boxes around a cache: origins, parents and siblings above and beside, children below; the busiest first. */
function boxesOf({ origins, neighbours, children, proxy }: CacheDetails, format: Format) {
  const servers: readonly Box[] = [
    ...bounded(origins.map(originBox), Math.floor(format.maxInBand / 2)),
    ...(proxy ? [{ name: 'the Web', note: 'origins', kind: 'origin', isDown: false } as const] : []),
  ];
  return {
    above: [...servers, ...bounded(neighbourBoxes(neighbours, 'parent'), format.maxInBand - servers.length)],
    beside: bounded(neighbourBoxes(neighbours, 'sibling'), format.maxBeside),
    below: bounded(children.toSorted((a, b) => b.requests - a.requests).map(childBox), format.maxInBand),
  };
}

function about({ neighbours, children, origins }: CacheDetails): string {
  const role = (name: 'parent' | 'sibling') => neighbours.filter(({ role }) => role === name).length;
  const up = neighbours.filter(({ state }) => state === 'up').length;
  return [
    ...(origins.length === 0 ? [] : [count(origins.length, 'origin')]),
    count(role('parent'), 'parent'),
    count(role('sibling'), 'sibling'),
    `${count(children.length, 'cache')} that use this one; ${up} of ${neighbours.length} peers are up. The tables below list all of them.`,
  ].join(', ');
}

function drawn(details: CacheDetails, format: Format, name: 'wide' | 'narrow'): ViewElement {
  const boxes = boxesOf(details, format);
  const { above, beside, below } = boxes;
  const layout: Layout = layOut({ above: above.length, beside: beside.length, below: below.length }, format);
  const around = (['above', 'beside', 'below'] as const).flatMap((where) =>
    layout[where].flatMap((place, at) => {
      const box = boxes[where][at];
      return box === undefined ? [] : [{ box, place }];
    }),
  );
  const own: Box = {
    ...{ name: details.name, kind: 'own', isDown: false },
    note:
      details.hitRatio === undefined
        ? 'no answer yet'
        : `${(100 * details.hitRatio).toFixed(1)} % from the cache`,
  };
  return element(
    'svg',
    {
      ...{ class: name, viewBox: `0 0 ${format.width} ${layout.height}`, role: 'img' },
      ...{ xmlns: 'http://www.w3.org/2000/svg' },
      'aria-labelledby': `hierarchy-${name}-title hierarchy-${name}-about`,
    },
    element('title', { id: `hierarchy-${name}-title` }, `The hierarchy around ${details.name}`),
    element('desc', { id: `hierarchy-${name}-about` }, about(details)),
    layout.trunks.map((trunk) => line('trunk', trunk)),
    around.map(({ box, place }) => line(`edge ${box.kind}${box.isDown ? ' down' : ''}`, place.line)),
    boxView(own, layout.own, format),
    around.map(({ box, place }) => boxView(box, place, format)),
  );
}

/**
 * The hierarchy around this cache: origins and parents above, siblings beside, children below. Drawn twice, for
 * wide windows and for phones; the style sheet shows one.
 */
export function hierarchyPicture(details: CacheDetails): ViewElement {
  const peers = details.neighbours.length > 0;
  return element(
    'figure',
    { class: 'chart hierarchy' },
    drawn(details, wideFormat, 'wide'),
    drawn(details, narrowFormat, 'narrow'),
    element(
      'figcaption',
      {},
      'Origins and parents above, siblings beside, caches that use this one below.',
      peers && ' A dashed line leads to a peer that does not answer now.',
    ),
  );
}
