import { element, type ViewElement } from './client/element.ts';
import { age, count } from './client/wording.ts';
import type { Format } from './layer-layout.ts';
import { ordered } from './layer-order.ts';
import { type Box, bounded, drawn, type Layer } from './layer-picture.ts';
import { typeWord, unreachedWords } from './registry-view.ts';
import type { ShownEdge, ShownNode, ShownTopology } from './topology-data.ts';

/** The rows of boxes that there is room for in one layer. */
interface Room extends Format {
  readonly rows: number;
}

const wide: Room = { width: 800, boxWide: 136, columns: 5, rows: 2 };
const narrow: Room = { width: 344, boxWide: 148, columns: 2, rows: 3 };

/** Brokers of Brokers, caches below caches: so many layers of one type. */
const maxDepth = 2;

const severity = { live: 0, late: 1, broken: 2 } as const;

const rank = ({ state }: Pick<ShownNode, 'state'>) => (state === undefined ? 0 : severity[state]);

function noteOf({ type, state, objects, isUnreached, age: passed = 0 }: ShownNode): string {
  if (type === 'UNLISTED') return 'not listed here';
  if (state === undefined) return '';
  if (isUnreached) return unreachedWords;
  if (state !== 'live') return passed < 45 ? state : `${state}, ${age(0, passed)}`;
  return objects === undefined ? 'live' : count(objects, 'object');
}

/** The id of the row of a node in the table, and the address of that. */
export const rowId = (id: string) => `row-${id}`;
const rowHref = (id: string) => `#${encodeURIComponent(rowId(id))}`;

function boxOf(node: ShownNode): Box {
  const { id, type, name, state, age: passed } = node;
  const note = noteOf(node);
  const kind = type === 'PROVIDER' ? 'Site' : type === 'UNLISTED' ? 'Server' : typeWord(type);
  const renewed = passed === undefined ? '' : `, renewed ${age(0, passed)}`;
  return {
    ...{ id, name, note, kind: `${type.toLowerCase()} ${state ?? 'other'}`, href: rowHref(id) },
    about: `${kind} ${name}${state === 'live' ? ': live' : ''}${note === '' || note === 'live' ? '' : `, ${note}`}${renewed}`,
  };
}

/** How many servers of its own type are above a server: those that it collects from, and theirs. */
function depths({ nodes, edges }: ShownTopology): ReadonlyMap<string, number> {
  const types = new Map(nodes.map(({ id, type }) => [id, type]));
  const keys = new Set(edges.map(({ from, to }) => `${from} ${to}`));
  // Two that collect from each other are side by side.
  const above = edges.filter(
    ({ from, to }) => types.get(from) === types.get(to) && !keys.has(`${to} ${from}`),
  );
  const depth = new Map<string, number>();
  for (let round = 0; round < maxDepth; round++)
    for (const { from, to } of above)
      depth.set(to, Math.min(maxDepth, Math.max(depth.get(to) ?? 0, (depth.get(from) ?? 0) + 1)));
  return depth;
}

const plural = (type: string) => (type === 'REGISTRY' ? 'Registries' : `${typeWord(type)}s`);

/** The layers of the picture from above: each a name, its types, and which of their nodes it has. */
interface Band {
  readonly name: string;
  readonly types: readonly string[];
  readonly has: (node: ShownNode) => boolean;
}

function bandsOf(topology: ShownTopology): readonly Band[] {
  const depth = depths(topology);
  const types = new Map(topology.nodes.map(({ id, type }) => [id, type]));
  const ofCaches = new Set(
    topology.edges.filter(({ to }) => types.get(to) === 'CACHE').map(({ from }) => from),
  );
  const whole = (name: string, ...own: readonly string[]): Band => ({
    ...{ name, types: own, has: ({ type }) => own.includes(type) },
  });
  const deep = (type: string, further: string): readonly Band[] =>
    Array.from({ length: maxDepth + 1 }, (_, level) => ({
      name: level === 0 ? plural(type) : level === 1 ? further : '',
      types: level === 0 ? [type] : [],
      has: (node) =>
        (node.type === type && (depth.get(node.id) ?? 0) === level) ||
        (type === 'CACHE' && level === 0 && node.type === 'UNLISTED' && ofCaches.has(node.id)),
    }));
  return [
    whole('Sites', 'PROVIDER'),
    {
      ...{ name: 'Gatherers', types: ['GATHERER', 'UNLISTED'] },
      has: ({ id, type }) => type === 'GATHERER' || (type === 'UNLISTED' && !ofCaches.has(id)),
    },
    whole('OAI repositories', 'OAI-REPOSITORY'),
    ...deep('BROKER', 'Brokers that collect from Brokers'),
    whole('Trackers', 'TRACKER'),
    whole('Replicators', 'REPLICATOR'),
    ...deep('CACHE', 'Caches below caches'),
    ...deep('REGISTRY', 'Registries that collect from Registries'),
  ];
}

function moreOf(rest: readonly Box[], broken: number): Pick<Box, 'note' | 'kind'> {
  const states = rest.map(({ kind }) => kind.split(' ').at(-1));
  const sum = broken + states.filter((state) => state === 'broken').length;
  const isLate = states.includes('late');
  return {
    note: sum > 0 ? `${sum.toLocaleString('en')} broken` : '',
    kind: `more ${sum > 0 ? 'broken' : isLate ? 'late' : 'other'}`,
  };
}

/** Choose the boxes that there is room for, the broken ones and those with many lines first, and order them. */
function layersOf(topology: ShownTopology, room: Room, registry: string): readonly Layer[] {
  const { nodes, edges, more } = topology;
  const links = new Map<string, number>();
  for (const { from, to } of edges) for (const id of [from, to]) links.set(id, (links.get(id) ?? 0) + 1);
  const sorted = nodes.toSorted(
    (a, b) => rank(b) - rank(a) || (links.get(b.id) ?? 0) - (links.get(a.id) ?? 0),
  );
  const layers = bandsOf(topology).map(({ name, types, has }): Layer => {
    const hidden = more.filter(({ type }) => types.includes(type));
    const [others, broken] = (['nodes', 'broken'] as const).map((key) =>
      hidden.reduce((sum, one) => sum + one[key], 0),
    ) as [number, number];
    const boxes = sorted.filter(has).map(boxOf);
    return {
      name,
      boxes: bounded(boxes, room.columns * room.rows, (rest) => moreOf(rest, broken), others),
    };
  });
  const standIn = new Map<string, string>();
  for (const { boxes } of layers)
    for (const { id, hides = [] } of boxes) for (const one of hides) standIn.set(one, id);
  const at = (id: string) => standIn.get(id) ?? id;
  const order = ordered(
    layers.map(({ boxes }) => boxes.filter(({ hides }) => hides === undefined).map(({ id }) => id)),
    edges.map(({ from, to }) => ({ from: at(from), to: at(to) })),
  );
  const own: Box = { id: 'own', name: registry, note: 'this Registry', kind: 'own' };
  return layers.map(({ name, boxes }, layer) => {
    const byId = new Map(boxes.map((box) => [box.id, box]));
    const known = (order[layer] ?? []).flatMap((id) => byId.get(id) ?? []);
    const stand = boxes.filter(({ hides }) => hides !== undefined);
    return { name, boxes: [...(name === 'Registries' ? [own] : []), ...known, ...stand] };
  });
}

const edgeOf = ({ from, to, state }: ShownEdge) => ({ from, to, kind: state, isCrossed: state === 'broken' });

/** Sites, Gatherers, Brokers, caches and Registries as layers of boxes, drawn for wide windows and for phones. */
export function topologyPicture(topology: ShownTopology, registry: string): ViewElement {
  const { nodes, edges, more } = topology;
  // Of several lines between two boxes the worst is drawn.
  const lines = edges.toSorted((a, b) => rank(a) - rank(b)).map(edgeOf);
  const broken = edges.filter(({ state }) => state === 'broken').length;
  const left = more.reduce((sum, one) => sum + one.nodes, 0);
  const about =
    `${count(nodes.length + left, 'box', 'boxes')} and ${count(edges.length, 'line')}, ` +
    `${broken} of them broken. The table below lists the same.`;
  const picture = (room: Room, name: string) =>
    drawn(
      {
        ...{ id: 'topology', title: 'Who collects from whom', about },
        ...{ layers: layersOf(topology, room, registry), edges: lines },
      },
      room,
      name,
    );
  return element(
    'figure',
    { class: 'chart layers' },
    picture(wide, 'wide'),
    picture(narrow, 'narrow'),
    element(
      'figcaption',
      {},
      'Each line leads down, from where the objects are to who collects them. ',
      element('span', { class: 'key live' }, 'live'),
      ' ',
      element('span', { class: 'key late' }, 'late'),
      ' ',
      element('span', { class: 'key broken' }, 'broken'),
    ),
  );
}
