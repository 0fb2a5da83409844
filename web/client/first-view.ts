import { nothingAsked, pageHref } from './address.ts';
import type { BrokerStatus, KnownSource } from './answers.ts';
import { element, type ViewElement } from './element.ts';
import { age, count, isoTime, listed } from './wording.ts';

const sitesAtOnce = 12;

/** The last searches of this browser; `isOn`: whether it keeps them. */
export interface RecentModel {
  readonly searches: readonly string[];
  readonly isOn: boolean;
}

/** The last searches as links, and the button that turns them off or on. */
function recentView({ searches, isOn }: RecentModel): ViewElement | undefined {
  const button = (does: string, words: string) =>
    element('button', { type: 'button', 'data-recent': does }, words);
  if (!isOn)
    return element('p', { class: 'recent quiet' }, 'Recent searches are off. ', button('on', 'Turn on'));
  if (searches.length === 0) return undefined;
  return element(
    'div',
    { class: 'recent' },
    queriesView('Recent', searches),
    element(
      'p',
      { class: 'quiet' },
      'Kept in this browser only. ',
      button('forget', 'Forget them'),
      ' ',
      button('off', 'Turn off'),
    ),
  );
}

/** The first visit: the objects of this Broker, their freshness, and three example queries. */
export function firstView(status: BrokerStatus, now: number, recent?: RecentModel): ViewElement {
  const learned = Math.max(0, ...status.sources.map((source) => source.lastLearnedAt ?? 0));
  const sites = status.sources.filter((source) => !source.isBroker);
  const brokers = status.sources.filter((source) => source.isBroker);
  const known = [
    ...(sites.length > 0 || brokers.length === 0 ? [count(sites.length, 'site')] : []),
    ...(brokers.length > 0 ? [count(brokers.length, 'Broker')] : []),
  ];
  return element(
    'section',
    { class: 'first' },
    element(
      'h1',
      { tabindex: -1 },
      status.objects > 0
        ? `${count(status.objects, 'object')} from ${listed(known)}`
        : 'Nothing has been collected yet',
    ),
    element(
      'p',
      { class: 'quiet' },
      status.objects > 0
        ? learned > 0 && ['Last checked for changes ', timeView(learned, now), '.']
        : emptyWords(status),
    ),
    recent && recentView(recent),
    status.examples.length > 0 && queriesView('Try', status.examples),
    status.views.length > 0 &&
      queriesView(
        'Views',
        status.views.map((view) => view.name),
        (name) => `view: ${name}`,
      ),
    sites.length > 0 && sitesView('Site', sites, now),
    brokers.length > 0 && sitesView('Broker', brokers, now),
  );
}

function emptyWords(status: BrokerStatus): string {
  if (status.sources.length === 0) return 'This Broker has no sources to collect from.';
  return 'The first objects can be searched as soon as they arrive. This page updates by itself.';
}

function timeView(seconds: number, now: number): ViewElement {
  return element('time', { datetime: isoTime(seconds) }, age(seconds, now));
}

/** Links that search; `queryOf` gives the query of a name, where it is another. */
function queriesView(label: string, names: readonly string[], queryOf = (name: string) => name): ViewElement {
  return element(
    'p',
    { class: 'examples' },
    element('span', {}, label),
    names.map((name) => [
      ' ',
      element('a', { href: pageHref({ ...nothingAsked, query: queryOf(name) }), 'data-go': true }, name),
    ]),
  );
}

function sitesView(kind: 'Site' | 'Broker', sources: readonly KnownSource[], now: number): ViewElement {
  const rest = sources.length - sitesAtOnce;
  return element(
    'table',
    { class: 'sites' },
    element('caption', {}, `${kind}s`),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, kind),
        element('th', { scope: 'col', class: 'objects' }, 'Objects'),
        element('th', { scope: 'col' }, 'Checked'),
      ),
    ),
    element(
      'tbody',
      {},
      sources.slice(0, sitesAtOnce).map((source) => siteView(source, now)),
      rest > 0 &&
        element(
          'tr',
          {},
          element(
            'td',
            { colspan: 3, class: 'quiet' },
            `and ${count(rest, `other ${kind === 'Site' ? 'site' : kind}`)}`,
          ),
        ),
    ),
  );
}

function siteView(source: KnownSource, now: number): ViewElement {
  // Everything of the site, which what is typed then searches in.
  const href = pageHref({ ...nothingAsked, query: '*', sources: [source.id] });
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      element(
        'a',
        { href, 'data-go': true, title: `Search in ${source.name}` },
        element('bdi', {}, source.name),
      ),
    ),
    element(
      'td',
      { class: 'objects' },
      (source.isBroker ? source.counted : source.objects).toLocaleString('en'),
    ),
    element('td', {}, healthView(source, now)),
  );
}

function healthView(source: KnownSource, now: number): ViewElement | string {
  if (source.state === 'down')
    return element(
      'span',
      { class: 'down' },
      'does not answer',
      source.error !== null && `: ${source.error}`,
    );
  if (source.state === 'full' || source.state === 'no room')
    return element('span', {}, source.state, source.error !== null && `: ${source.error}`);
  if (source.state === 'connecting') return 'connecting';
  if (source.state === 'waiting' && source.lastLearnedAt === null) return 'waiting for its push';
  return source.lastLearnedAt === null ? 'not yet' : timeView(source.lastLearnedAt, now);
}
