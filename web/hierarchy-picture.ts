import type { CacheDetails, ShownChild, ShownNeighbour, ShownOrigin } from './cache-status-data.ts';
import { element, type ViewElement } from './client/element.ts';
import { count } from './client/wording.ts';
import type { Format } from './layer-layout.ts';
import { type Box, bounded, drawn, type Picture } from './layer-picture.ts';

/** How many boxes there is room for above and below the cache, and beside it. */
interface Room extends Format {
  readonly maxInBand: number;
  readonly maxBeside: number;
}

const wide: Room = { width: 576, boxWide: 168, columns: 3, maxInBand: 7, maxBeside: 6 };
const narrow: Room = { width: 344, boxWide: 148, columns: 2, maxInBand: 6, maxBeside: 4 };

const activity = ({ hits, fetched }: ShownNeighbour) => hits + fetched;

function neighbourBoxes(neighbours: readonly ShownNeighbour[], role: 'parent' | 'sibling'): readonly Box[] {
  return neighbours
    .filter((one) => one.role === role)
    .toSorted((a, b) => activity(b) - activity(a))
    .map(({ name, state, fetched }, at) => ({
      ...{ id: `${role}${at}`, name, kind: state === 'up' ? role : `${role} down` },
      note: `${state}, ${count(fetched, 'fetch', 'fetches')}`,
    }));
}

const childBox = ({ name, address, requests }: ShownChild, at: number): Box => ({
  ...{ id: `child${at}`, name: name || address, note: count(requests, 'request'), kind: 'child' },
});

const originBox = ({ host, url }: ShownOrigin, at: number): Box => ({
  ...{ id: `origin${at}`, name: url.replace(/^\w+:\/\//, ''), kind: 'origin' },
  note: host === '' ? 'origin' : `for ${host}`,
});

/** The box of peers without a place. */
function morePeers(rest: readonly Box[]): Pick<Box, 'note' | 'kind'> {
  const down = rest.filter(({ kind }) => kind.endsWith(' down')).length;
  return { note: `${rest.length - down} up, ${down} not`, kind: down > 0 ? 'more down' : 'more' };
}

const own = 'own';

/** The layers around a cache: origins and parents above, siblings beside it, children below; the busiest first. */
function layersOf(details: CacheDetails, { columns, maxInBand, maxBeside }: Room): Picture['layers'] {
  const { origins, neighbours, children, proxy, hitRatio, name } = details;
  const servers: readonly Box[] = [
    ...bounded(origins.map(originBox), Math.floor(maxInBand / 2), () => ({ note: 'origins', kind: 'more' })),
    ...(proxy ? [{ id: 'web', name: 'the Web', note: 'origins', kind: 'origin' }] : []),
  ];
  const parents = bounded(neighbourBoxes(neighbours, 'parent'), maxInBand - servers.length, morePeers);
  const siblings = bounded(neighbourBoxes(neighbours, 'sibling'), maxBeside, morePeers);
  const cache: Box = {
    ...{ id: own, name, kind: own },
    note: hitRatio === undefined ? 'no answer yet' : `${(100 * hitRatio).toFixed(1)} % from the cache`,
  };
  // In the middle of its row.
  const left = columns === 3 && siblings.length > 1 ? 1 : 0;
  const below = children.toSorted((a, b) => b.requests - a.requests).map(childBox);
  return [
    { name: '', boxes: [...servers, ...parents] },
    { name: '', boxes: [...siblings.slice(0, left), cache, ...siblings.slice(left)] },
    { name: '', boxes: bounded(below, maxInBand, () => ({ note: '', kind: 'more' })) },
  ];
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

/**
 * The hierarchy around this cache: origins and parents above, siblings beside, children below. Drawn twice, for
 * wide windows and for phones; the style sheet shows one.
 */
export function hierarchyPicture(details: CacheDetails): ViewElement {
  const picture = (room: Room, name: string) => {
    const layers = layersOf(details, room);
    const others = layers.flatMap(({ boxes }) => boxes).filter(({ id }) => id !== own);
    const edges = others.map(({ id, kind }) => ({ from: id, to: own, kind }));
    const title = `The hierarchy around ${details.name}`;
    return drawn({ id: 'hierarchy', title, about: about(details), layers, edges }, room, name);
  };
  return element(
    'figure',
    { class: 'chart layers' },
    picture(wide, 'wide'),
    picture(narrow, 'narrow'),
    element(
      'figcaption',
      {},
      'Origins and parents above, siblings beside, caches that use this one below.',
      details.neighbours.length > 0 && ' A dashed line leads to a peer that does not answer now.',
    ),
  );
}
