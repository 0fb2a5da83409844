import { nothingAsked, pageHref } from './address.ts';
import type { BrokerStatus, KnownSource } from './answers.ts';
import { element, type ViewElement } from './element.ts';
import { safeHref } from './remote-text.ts';
import { age, count, isoTime } from './wording.ts';

const sitesAtOnce = 12;

/** The first visit: the objects of this Broker, their freshness, and three example queries. */
export function firstView(status: BrokerStatus, now: number): ViewElement {
  const learned = Math.max(0, ...status.sources.map((source) => source.lastLearnedAt ?? 0));
  const sites = count(status.sources.length, 'site');
  return element(
    'section',
    { class: 'first' },
    element(
      'h1',
      { tabindex: -1 },
      status.objects > 0
        ? `${count(status.objects, 'object')} from ${sites}`
        : 'Nothing has been collected yet',
    ),
    element(
      'p',
      { class: 'quiet' },
      status.objects > 0
        ? learned > 0 && ['Last checked for changes ', timeView(learned, now), '.']
        : emptyWords(status),
    ),
    status.examples.length > 0 && queriesView('Try', status.examples),
    status.views.length > 0 &&
      queriesView(
        'Views',
        status.views.map((view) => view.name),
        (name) => `view: ${name}`,
      ),
    status.sources.length > 0 && sitesView(status.sources, now),
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

function sitesView(sources: readonly KnownSource[], now: number): ViewElement {
  const rest = sources.length - sitesAtOnce;
  return element(
    'table',
    { class: 'sites' },
    element('caption', {}, 'Sites'),
    element(
      'thead',
      {},
      element(
        'tr',
        {},
        element('th', { scope: 'col' }, 'Site'),
        element('th', { scope: 'col', class: 'objects' }, 'Objects'),
        element('th', { scope: 'col' }, 'Checked'),
      ),
    ),
    element(
      'tbody',
      {},
      sources.slice(0, sitesAtOnce).map((source) => siteView(source, now)),
      rest > 0 &&
        element('tr', {}, element('td', { colspan: 3, class: 'quiet' }, `and ${count(rest, 'other site')}`)),
    ),
  );
}

function siteView(source: KnownSource, now: number): ViewElement {
  const href = safeHref(source.url);
  const name = element('bdi', {}, source.name);
  return element(
    'tr',
    {},
    element(
      'th',
      { scope: 'row' },
      href === undefined ? name : element('a', { href, rel: 'noopener noreferrer' }, name),
    ),
    element('td', { class: 'objects' }, source.objects.toLocaleString('en')),
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
  if (source.state === 'connecting') return 'connecting';
  if (source.state === 'waiting' && source.lastLearnedAt === null) return 'waiting for its push';
  return source.lastLearnedAt === null ? 'not yet' : timeView(source.lastLearnedAt, now);
}
