import { type Child, element, type ViewElement } from './client/element.ts';
import { age, count, isoTime } from './client/wording.ts';
import { appendTo } from './layer-order.ts';
import { linked, typeWord, unreachedWords } from './registry-view.ts';
import type { ShownNode, ShownTopology } from './topology-data.ts';
import { rowId, topologyPicture } from './topology-picture.ts';
import { wideTable } from './wide-table.ts';

/** The number of rows that are open; further ones are folded. */
const openRows = 25;

const severity = { broken: 0, late: 1, live: 2 } as const;

const rank = ({ state }: ShownNode) => (state === undefined ? 3 : severity[state]);

const kindWord = (type: string) =>
  type === 'PROVIDER' ? 'Site' : type === 'UNLISTED' ? 'Not listed here' : typeWord(type);

/** The topology as a picture and as a table. */
export function topologyView(
  topology: ShownTopology,
  { registry, now }: { readonly registry: string; readonly now: number },
): ViewElement {
  const { version, nodes } = topology;
  const drawn = isoTime(now) ?? '';
  return element(
    'div',
    { class: 'main status topology', 'data-version': version },
    element('h1', { id: 'summary' }, summaryWords(topology)),
    element(
      'p',
      { class: 'quiet' },
      'As of ',
      element('time', { datetime: drawn }, `${drawn.slice(11, 19)} UTC`),
      '. ',
      element('a', { href: 'topology', class: 'again' }, 'Load it again'),
      element('span', { class: 'standing' }, 'Changes appear by themselves.'),
    ),
    nodes.length === 0
      ? element('p', {}, 'No server has registered yet.')
      : [topologyPicture(topology, registry), tablesOf(topology)],
  );
}

function summaryWords({ nodes, edges, more }: ShownTopology): string {
  const servers = nodes.filter(({ state }) => state !== undefined);
  const isServer = ({ type }: { readonly type: string }) => type !== 'PROVIDER' && type !== 'UNLISTED';
  const hidden = more.filter(isServer);
  const inState = (wanted: ShownNode['state']) => servers.filter(({ state }) => state === wanted).length;
  const broken = inState('broken') + hidden.reduce((sum, one) => sum + one.broken, 0);
  const total = servers.length + hidden.reduce((sum, one) => sum + one.nodes, 0);
  const late = inState('late');
  const troubles = [...(broken === 0 ? [] : [`${broken} broken`]), ...(late === 0 ? [] : [`${late} late`])];
  const cut = edges.filter(({ state }) => state === 'broken').length;
  const lines = cut === 0 ? '' : `; ${count(cut, 'connection')} broken`;
  return `${count(total, 'server')}: ${troubles.length === 0 ? 'all live' : troubles.join(', ')}${lines}`;
}

/** The facts of the picture: every server with its state, and where its objects come from. */
function tablesOf({ nodes, edges, more }: ShownTopology): Child {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const sources = new Map<string, Child[]>();
  for (const { from, to, state } of edges) {
    const source = byId.get(from);
    if (source === undefined) continue;
    const entry = element('li', {}, element('bdi', {}, source.name), ' ', stateView(state));
    appendTo(sources, to, entry);
  }
  const sorted = nodes.toSorted((a, b) => rank(a) - rank(b));
  const ids = sorted.map(({ id }) => rowId(id));
  const rows = sorted.map((node): readonly Child[] => [
    linked(node.url, node.name),
    kindWord(node.type),
    node.state && stateView(node.state, node.isUnreached ? unreachedWords : node.state),
    node.age === undefined ? '' : age(0, node.age),
    node.objects === undefined ? '' : node.objects.toLocaleString('en'),
    sources.has(node.id) && element('ul', {}, sources.get(node.id)),
  ]);
  const heads = ['Name', 'Type', 'State', 'Renewed', 'Objects', 'Comes from'];
  const rest = rows.slice(openRows);
  const hidden = more.reduce((sum, one) => sum + one.nodes, 0);
  return [
    wideTable('Servers and where their objects come from', heads, rows.slice(0, openRows), [4], ids),
    rest.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, `${rest.length.toLocaleString('en')} more`),
        wideTable('Further servers', heads, rest, [4], ids.slice(openRows)),
      ),
    hidden > 0 && element('p', { class: 'quiet' }, `${hidden.toLocaleString('en')} more are not shown here.`),
  ];
}

const stateView = (state: string, words = state): ViewElement =>
  element('span', { class: `state ${state}` }, words);
