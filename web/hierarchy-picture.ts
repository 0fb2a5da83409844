import type { CacheDetails } from './cache-status-data.ts';
import { element, type ViewElement } from './client/element.ts';
import { count } from './client/wording.ts';

const width = 720;
const boxWide = 156;
const boxHigh = 44;
const gap = 24;
/** Boxes side by side; those beyond are told in a last one. */
const mostInRow = 4;

/** One box of the picture. */
interface Box {
  readonly name: string;
  readonly note: string;
  readonly kind: 'own' | 'parent' | 'sibling' | 'child' | 'origin' | 'more';
  readonly isDown: boolean;
}

interface Placed extends Box {
  readonly x: number;
  readonly y: number;
}

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** At most `mostInRow` boxes, the last of which says how many more there are. */
function bounded(boxes: readonly Box[], most = mostInRow): readonly Box[] {
  if (boxes.length <= most) return boxes;
  const more = boxes.length - most + 1;
  const rest: Box = { name: `and ${more} more`, note: '', kind: 'more', isDown: false };
  return [...boxes.slice(0, most - 1), rest];
}

/** Boxes of a row, centred around the middle. */
function row(boxes: readonly Box[], y: number, middle: number): readonly Placed[] {
  const all = boxes.length * boxWide + (boxes.length - 1) * gap;
  return boxes.map((box, at) => ({ ...box, x: middle - all / 2 + at * (boxWide + gap), y }));
}

function boxView({ name, note, kind, isDown, x, y }: Placed): ViewElement {
  const middle = x + boxWide / 2;
  return element(
    'g',
    { class: `box ${kind}${isDown ? ' down' : ''}` },
    element('title', {}, note === '' ? name : `${name}: ${note}`),
    element('rect', { x, y, width: boxWide, height: boxHigh, rx: 6 }),
    element('text', { class: 'name', x: middle, y: y + 18, 'text-anchor': 'middle' }, cut(name, 20)),
    note !== '' && element('text', { x: middle, y: y + 34, 'text-anchor': 'middle' }, cut(note, 24)),
  );
}

function edge(from: Placed, to: Placed): ViewElement {
  const isBeside = from.y === to.y;
  const [left, right] = from.x < to.x ? [from, to] : [to, from];
  const [upper, lower] = from.y < to.y ? [from, to] : [to, from];
  return element('line', {
    class: `edge ${to.kind}${to.isDown ? ' down' : ''}`,
    x1: isBeside ? left.x + boxWide : upper.x + boxWide / 2,
    y1: isBeside ? left.y + boxHigh / 2 : upper.y + boxHigh,
    x2: isBeside ? right.x : lower.x + boxWide / 2,
    y2: isBeside ? right.y + boxHigh / 2 : lower.y,
  });
}

/** What stands around a cache: whom it asks above and beside it, who asks it below. */
function boxesOf({ origin, neighbours, children, proxy }: CacheDetails) {
  const boxOf = (role: 'parent' | 'sibling') =>
    neighbours
      .filter((one) => one.role === role)
      .map(
        ({ name, state, fetched }): Box => ({
          ...{ name, kind: role, isDown: state !== 'up' },
          note: `${state}, ${count(fetched, 'fetch', 'fetches')}`,
        }),
      );
  const servers: readonly Box[] = [
    ...(origin === ''
      ? []
      : [{ name: origin.replace(/^\w+:\/\//, ''), note: 'origin', kind: 'origin', isDown: false } as const]),
    ...(proxy ? [{ name: 'the Web', note: 'origins', kind: 'origin', isDown: false } as const] : []),
  ];
  return {
    above: [...servers, ...bounded(boxOf('parent'), mostInRow - servers.length)],
    beside: bounded(boxOf('sibling'), 3),
    below: bounded(
      children.map(({ address, requests }) => ({
        ...{ name: address, note: count(requests, 'request'), kind: 'child', isDown: false },
      })),
    ),
  };
}

function about({ neighbours, children, origin }: CacheDetails): string {
  const role = (name: 'parent' | 'sibling') => neighbours.filter(({ role }) => role === name).length;
  const up = neighbours.filter(({ state }) => state === 'up').length;
  return [
    ...(origin === '' ? [] : ['an origin']),
    count(role('parent'), 'parent'),
    count(role('sibling'), 'sibling'),
    `${count(children.length, 'cache')} that ask this one; ${up} of ${neighbours.length} peers are up. The tables below have each of them.`,
  ].join(', ');
}

/** The hierarchy as this cache sees it: origins and parents above, siblings beside, those that ask it below. */
export function hierarchyPicture(details: CacheDetails): ViewElement {
  const { above, beside, below } = boxesOf(details);
  const middle = beside.length === 0 ? width / 2 : boxWide / 2 + 4;
  const ownRow = above.length === 0 ? 8 : 8 + boxHigh + 56;
  const own: Placed = {
    ...{ name: details.name, kind: 'own', isDown: false, x: middle - boxWide / 2, y: ownRow },
    note:
      details.hitRatio === undefined ? 'no answer yet' : `${(100 * details.hitRatio).toFixed(1)} % from here`,
  };
  const upper = row(above, 8, width / 2);
  const siblings = beside.map((box, at) => ({
    ...box,
    x: own.x + (at + 1) * (boxWide + gap),
    y: ownRow,
  }));
  const lower = row(below, ownRow + boxHigh + 56, width / 2);
  const height = (lower[0]?.y ?? ownRow) + boxHigh + 8;
  const around = [...upper, ...siblings, ...lower];
  return element(
    'figure',
    { class: 'chart hierarchy' },
    element(
      'svg',
      {
        ...{ viewBox: `0 0 ${width} ${height}`, role: 'img', xmlns: 'http://www.w3.org/2000/svg' },
        'aria-labelledby': 'hierarchy-title hierarchy-about',
      },
      element('title', { id: 'hierarchy-title' }, `The hierarchy around ${details.name}`),
      element('desc', { id: 'hierarchy-about' }, about(details)),
      around.map((box) => edge(own, box)),
      [own, ...around].map(boxView),
    ),
    element(
      'figcaption',
      {},
      'Origins and parents above, siblings beside, caches that ask this one below; a broken line leads to a peer that does not answer.',
    ),
  );
}
