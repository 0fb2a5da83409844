import type {
  CacheDetails,
  ShownChild,
  ShownNeighbour,
  ShownObject,
  ShownOrigin,
  ShownTrouble,
} from './cache-status-data.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { age, count, duration, isoTime, size } from './client/wording.ts';
import { hierarchyPicture } from './hierarchy-picture.ts';
import { hitChart } from './hit-chart.ts';
import { wideTable } from './wide-table.ts';

const percent = (ratio: number) => `${(100 * ratio).toFixed(1)} %`;

/** The status page of a cache: hit ratios, the hierarchy around it, what it has. */
export function cacheStatusView(details: CacheDetails, now: number): ViewElement {
  const { entries, hitRatio, minutes, origins, neighbours, children, hottest, largest } = details;
  const ratio = hitRatio === undefined ? '' : `, ${percent(hitRatio)} of answers from the cache`;
  return element(
    'div',
    { class: 'main status' },
    element('h1', {}, `${count(entries, 'response')}${ratio}`),
    element(
      'ul',
      { class: 'facts' },
      factsOf(details).map((fact) => element('li', {}, fact)),
    ),
    details.trouble && troubleView(details.trouble, now),
    section(
      'answers',
      'Answers',
      minutes.length > 0 ? hitChart(minutes) : element('p', { class: 'quiet' }, 'No request yet.'),
      answersTable(details, now),
      turnedAwayTable(details),
    ),
    section(
      'hierarchy',
      'Hierarchy',
      hierarchyPicture(details),
      origins.length > 1 && originsTable(origins),
      neighbours.length > 0 && neighboursTable(neighbours),
      children.length > 0 && childrenTable(children, now),
    ),
    objectsSection('hottest', 'Hottest', hottest, 'No URL was requested twice yet.'),
    objectsSection('largest', 'Largest', largest, 'Nothing is stored yet.'),
  );
}

function section(id: string, head: string, ...children: readonly Child[]): ViewElement {
  return element(
    'section',
    { 'aria-labelledby': `${id}-name` },
    element('h2', { id: `${id}-name` }, head),
    children,
  );
}

function troubleView({ isShort, reason, what, cure, since }: ShownTrouble, now: number): ViewElement {
  const why = what === reason ? what : `${what} (${reason})`;
  return element(
    'p',
    { class: isShort ? 'said' : 'fault' },
    isShort ? 'New responses replace old ones since ' : 'New responses are not stored since ',
    timeView(since, now),
    `: ${why}. `,
    isShort ? '' : 'Stored responses are still served. ',
    cure !== '' && `What to do: ${cure}.`,
  );
}

function factsOf({ origins, proxy, contentBytes, disk, memory, ...details }: CacheDetails): readonly Child[] {
  const used = ({ bytes, budget }: CacheDetails['disk']) =>
    budget === 0 ? size(bytes) : `${size(bytes)} of ${size(budget)}`;
  const { evicted, damaged, refused, byteHitRatio, tunnels } = details;
  return [
    ...(origins.length > 1 ? [`before ${count(origins.length, 'origin')}`] : []),
    ...(origins.length === 1 ? origins.map(({ url }) => ['before ', element('bdi', {}, url)]) : []),
    ...(proxy ? ['proxy'] : []),
    `${size(contentBytes)} of contents`,
    ...(disk.budget === 0 ? [] : [`disk ${used(disk)}`]),
    `memory ${used(memory)}`,
    ...(byteHitRatio === undefined ? [] : [`${percent(byteHitRatio)} of bytes from the cache`]),
    ...(evicted === 0 ? [] : [`${evicted.toLocaleString('en')} evicted`]),
    ...(damaged === 0 ? [] : [`${damaged.toLocaleString('en')} damaged on disk`]),
    ...(tunnels.opened === 0
      ? []
      : [`${count(tunnels.opened, 'tunnel')} opened, ${tunnels.open.toLocaleString('en')} open`]),
    ...(refused === 0 ? [] : [`${refused.toLocaleString('en')} not admitted`]),
  ];
}

const timeView = (seconds: number, now: number): ViewElement =>
  element('time', { datetime: isoTime(seconds) }, age(seconds, now));

function answersTable({ outcomes, requests, latency, since }: CacheDetails, now: number): Child {
  if (requests === 0) return undefined;
  const rows = outcomes.map(([outcome, times]) => [
    ...[outcome, times.toLocaleString('en')],
    percent(times / requests),
  ]);
  const within = latency.map(
    ([what, p50, p99]) => `${what} 50 % within ${duration(p50)}, 99 % within ${duration(p99)}`,
  );
  return [
    element(
      'p',
      { class: 'quiet' },
      `${count(requests, 'request')}, counted from `,
      timeView(since, now),
      within.length > 0 && `; time to the head of an answer: ${within.join('; ')}`,
      '.',
    ),
    wideTable('Requests by outcome', ['Outcome', 'Requests', 'Share'], rows, [1, 2]),
  ];
}

function turnedAwayTable({ turnedAway }: CacheDetails): Child {
  if (turnedAway.length === 0) return undefined;
  const rows = turnedAway.map(([code, times]) => [code, times.toLocaleString('en')]);
  return wideTable('Refused before reaching the cache', ['Error', 'Times'], rows, [1]);
}

/** The number of rows that are open; further ones are folded. */
const openRows = 25;

function folded(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
  numbers: readonly number[],
): Child {
  const rest = rows.slice(openRows);
  return [
    wideTable(label, heads, rows.slice(0, openRows), numbers),
    rest.length > 0 &&
      element(
        'details',
        {},
        element('summary', {}, `${rest.length} more`),
        wideTable(`${label}, further ones`, heads, rest, numbers),
      ),
  ];
}

function originsTable(origins: readonly ShownOrigin[]): Child {
  const rows = origins.map(({ host, url }) => [
    element('bdi', {}, host || 'every host'),
    element('bdi', { class: 'address' }, url),
  ]);
  return folded('Origins of this cache', ['Host', 'Origin'], rows, []);
}

function neighboursTable(neighbours: readonly ShownNeighbour[]): Child {
  const rows = neighbours.map((one) => [
    [element('bdi', {}, one.name), element('span', { class: 'quiet' }, ` ${one.role}, ${one.state}`)],
    ...[one.asked, one.hits, one.fetched, one.failed].map((value) => value.toLocaleString('en')),
    one.digestEntries === undefined ? '' : one.digestEntries.toLocaleString('en'),
  ]);
  const heads = ['Peer', 'Queries', 'Hits', 'Fetches', 'Failed', 'Digest'];
  return folded('Parents and siblings', heads, rows, [1, 2, 3, 4, 5]);
}

function childrenTable(children: readonly ShownChild[], now: number): Child {
  const rows = children.map(({ name, address, requests, fromHere, lastAt }) => [
    [
      element('bdi', {}, name || address),
      name !== '' && element('span', { class: 'quiet' }, ' at ', element('bdi', {}, address)),
    ],
    requests.toLocaleString('en'),
    ...[requests === 0 ? '' : percent(fromHere / requests), timeView(lastAt, now)],
  ]);
  return folded('Caches that use this one', ['Cache', 'Requests', 'From the cache', 'Last'], rows, [1, 2]);
}

function objectsSection(
  id: string,
  head: string,
  objects: readonly ShownObject[],
  nothing: string,
): ViewElement {
  const rows = objects.map(({ url, bytes, hits }) => [
    ...[element('bdi', { class: 'address' }, url), size(bytes), hits.toLocaleString('en')],
  ]);
  return section(
    id,
    head,
    rows.length === 0
      ? element('p', { class: 'quiet' }, nothing)
      : wideTable(`${head} objects`, ['URL', 'Size', 'Hits'], rows, [1, 2]),
  );
}
