import type { SearchHit, Span } from './answers.ts';
import { element, type ViewElement, type ViewNode } from './element.ts';
import { hitHref, sectionsView } from './hit-sections.ts';
import { crumbs, safeHref } from './remote-text.ts';
import { age, count, day, isoTime, size } from './wording.ts';

// A first match later than this may fall below the second line; the passage then starts nearer to it.
const latestMatch = 80;
const leadIn = 40;

/** The spans of a piece [from, to) of a text, as offsets into the piece; what reaches over its edges is cut. */
export function within(spans: readonly Span[], from: number, to: number): Span[] {
  return spans
    .filter(([start, end]) => start < to && end > from)
    .map(([start, end]): Span => [Math.max(start, from) - from, Math.min(end, to) - from]);
}

/** Text with its matched parts in `<mark>`. */
export function marked(text: string, spans: readonly Span[]): ViewNode[] {
  const nodes: ViewNode[] = [];
  let reached = 0;
  for (const [start, end] of spans) {
    if (start > reached) nodes.push(text.slice(reached, start));
    nodes.push(element('mark', {}, text.slice(start, end)));
    reached = end;
  }
  if (reached < text.length) nodes.push(text.slice(reached));
  return nodes;
}

/** A passage with its matches marked, cut at the front so that the first match is in the first lines. */
export function passage(text: string, spans: readonly Span[]): ViewNode[] {
  const first = spans[0]?.[0] ?? 0;
  if (first <= latestMatch) return marked(text, spans);
  const blank = text.indexOf(' ', first - leadIn);
  const cut = blank >= 0 && blank < first ? blank + 1 : first;
  const moved = spans.map(([start, end]): Span => [start - cut + 1, end - cut + 1]);
  return marked(`…${text.slice(cut)}`, moved);
}

// Attributes in which nearly every hit matches are not named.
const unremarkable = new Set(['full-text', 'partial-text', 'body']);

/** The context of results. */
export interface ResultSetting {
  /** Seconds since 1970. */
  readonly now: number;
  readonly checks?: ReadonlyMap<string, string>;
  readonly cache?: string;
  /** The Broker that has the result, where it is not the one of this page. */
  readonly broker?: FoundAt & { readonly others: readonly FoundAt[] };
}

/** A Broker that has a result. */
interface FoundAt {
  readonly url: string;
  readonly name: string;
}

function foundAtView({ url, name }: FoundAt): ViewElement {
  const href = safeHref(url);
  const words = element('bdi', {}, name);
  return href === undefined ? words : element('a', { href }, words);
}

/**
 * One result: title, where it comes from, the best passage, and a quiet line of facts. `tail` is where the part of its
 * title begins that it shares with other results.
 */
export function resultView(hit: SearchHit, setting: ResultSetting, tail?: number): ViewElement {
  const trail = crumbs(hit.url, hit.sourceName);
  // Text in the title is not repeated.
  const said = hit.snippet.trim() === hit.title.trim() && hit.titleMatches.length > 0;
  return element(
    'li',
    { class: 'result' },
    element('h2', {}, titleView(hit, trail, setting, tail)),
    element('p', { class: 'crumbs', title: hit.url }, element('bdi', {}, trail.join(' › '))),
    hit.snippet !== '' &&
      !said &&
      element('p', { class: 'passage', dir: 'auto' }, passage(hit.snippet, hit.matches)),
    sectionsView(hit, setting.cache),
    hit.shown.length > 0 && shownView(hit),
    factsView(hit, setting),
    alsoView(hit),
  );
}

/** The other places of the same document. */
function alsoView({ also, alsoTotal }: SearchHit): ViewElement | undefined {
  if (alsoTotal === 0) return undefined;
  const places = also.map(({ url, sourceName }) => {
    const href = safeHref(url);
    const trail = element('bdi', {}, crumbs(url, sourceName).join(' › '));
    return element(
      'li',
      {},
      href === undefined ? trail : element('a', { href, rel: 'noopener noreferrer' }, trail),
    );
  });
  const rest = alsoTotal - also.length;
  return element(
    'details',
    { class: 'also' },
    element('summary', {}, `Also at ${count(alsoTotal, 'other address', 'other addresses')}`),
    element('ul', {}, places, rest > 0 && element('li', {}, `and ${rest.toLocaleString('en')} more`)),
  );
}

function titleView(
  hit: SearchHit,
  trail: readonly string[],
  { cache = '' }: ResultSetting,
  tail = hit.title.length,
): ViewElement {
  const parts = titleParts(hit, trail, tail);
  const href = hitHref(hit, cache);
  return href === undefined
    ? element('span', {}, parts)
    : element('a', { href, rel: 'noopener noreferrer' }, parts);
}

function titleParts(hit: SearchHit, trail: readonly string[], tail: number): ViewElement[] {
  const { title, titleMatches, url } = hit;
  // An address is no title; the last part of the trail says as much of it as a title can.
  if (title.trim() === '' || title === url) return [element('bdi', {}, trail.at(-1) ?? (url || hit.oid))];
  const parts = [element('bdi', {}, marked(title.slice(0, tail), within(titleMatches, 0, tail)))];
  if (tail < title.length) {
    const rest = marked(title.slice(tail), within(titleMatches, tail, title.length));
    parts.push(element('bdi', { class: 'tail' }, rest));
  }
  return parts;
}

/** The attributes that the operator shows with each result. */
function shownView({ shown }: SearchHit): ViewElement {
  return element(
    'dl',
    { class: 'shown' },
    shown.map(({ label, value }) => [element('dt', {}, label), element('dd', {}, element('bdi', {}, value))]),
  );
}

function factsView(hit: SearchHit, { now, checks, broker }: ResultSetting): ViewElement {
  const at = isoTime(hit.updatedAt);
  const home = broker === undefined ? '' : safeHref(broker.url);
  // A match in the title can be seen there.
  const isPlain = (name: string) =>
    unremarkable.has(name) || (name === 'title' && hit.titleMatches.length > 0);
  const matched = hit.attributes.filter((name) => !isPlain(name.toLowerCase()));
  return element(
    'ul',
    { class: 'facts' },
    hit.type !== '' && element('li', {}, hit.type),
    hit.updatedAt > 0 &&
      element(
        'li',
        {},
        'gathered ',
        element(
          'time',
          { datetime: at, title: at && `${day(hit.updatedAt)}, ${at.slice(11, 16)} UTC` },
          age(hit.updatedAt, now),
        ),
      ),
    hit.size !== null && element('li', {}, size(hit.size)),
    matched.length > 0 && element('li', {}, `matches in ${matched.join(', ').toLowerCase()}`),
    broker !== undefined &&
      element(
        'li',
        {},
        'from ',
        foundAtView(broker),
        broker.others.map((other, at) => [at === 0 ? ', also at ' : ', ', foundAtView(other)]),
      ),
    home !== undefined &&
      element(
        'li',
        {},
        element('a', { href: `${home}objects/${encodeURIComponent(hit.oid)}`, class: 'summary' }, 'summary'),
      ),
    home === '' &&
      hit.access.includes('table') &&
      element(
        'li',
        {},
        element('a', { href: `./table?oid=${encodeURIComponent(hit.oid)}`, class: 'summary' }, 'as a table'),
      ),
    home === '' &&
      safeHref(hit.url) !== undefined &&
      element(
        'li',
        { class: 'check' },
        checks?.get(hit.oid) ??
          element('button', { type: 'button', 'data-check': hit.oid }, 'Report broken link'),
      ),
  );
}
