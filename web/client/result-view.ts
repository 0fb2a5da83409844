import { type Address, pageHref } from './address.ts';
import type { SearchHit, Span } from './answers.ts';
import { graphemeStart } from './cut-text.ts';
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
  const cut = blank >= 0 && blank < first ? blank + 1 : graphemeStart(text, first);
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
  /** The search that found it, where its site can be searched alone. */
  readonly address?: Address;
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
 * One result: title, place, the best passage and a date; the rest behind one button. `tail` is where the part of its
 * title begins that it shares with other results.
 */
export function resultView(hit: SearchHit, setting: ResultSetting, tail?: number): ViewElement {
  const trail = crumbs(hit.url, hit.sourceName);
  const shown = passageView(hit);
  return element(
    'li',
    {
      class: 'result',
      id: /^[\w-]{1,64}$/.test(hit.oid) ? `hit-${hit.oid}` : undefined,
      // One card has one direction, that of its title.
      dir: 'auto',
      lang: hit.language || undefined,
    },
    element('h2', {}, titleView(hit, trail, setting, tail)),
    placeView(hit, trail, setting),
    shown.length > 0 && element('p', { class: 'passage' }, shown),
    sectionsView(hit, setting.cache),
    hit.shown.length > 0 && shownView(hit),
    factsView(hit, setting),
    restView(hit, setting),
  );
}

/** The passage without a title that it begins with; nothing when it is only that. */
function passageView({ snippet, title, matches, titleMatches }: SearchHit): ViewNode[] {
  const plain = snippet.trim();
  const name = title.trim();
  if (plain === '') return [];
  // Both may be cut.
  const [start, whole] = [withoutEnd(plain), withoutEnd(name)];
  const isTitle = start === whole || (whole.startsWith(start) && start.includes(' '));
  if (isTitle && titleMatches.length > 0) return [];
  const from = repeatedTitle(snippet, name);
  return passage(snippet.slice(from), within(matches, from, snippet.length));
}

const withoutEnd = (text: string) => text.replace(/…$/, '').trimEnd().toLowerCase();

/** Where the text behind a heading begins that repeats the title; 0 where it does not, or is part of a sentence. */
function repeatedTitle(text: string, title: string): number {
  if (!title.includes(' ') || text.slice(0, title.length).toLowerCase() !== title.toLowerCase()) return 0;
  const gap = /^[\s.:¶#|–—-]+(?=[^\s\p{Ll}])/u.exec(text.slice(title.length));
  return gap === null ? 0 : title.length + gap[0].length;
}

/** Where it lies: the site, which a click searches in, and the path. The whole address is in the tooltip. */
function placeView(hit: SearchHit, trail: readonly string[], { address }: ResultSetting): ViewElement {
  const [site = '', ...path] = trail;
  const name = element('bdi', {}, site);
  const href =
    address === undefined || hit.source === ''
      ? undefined
      : pageHref({ ...address, sources: [hit.source], offset: 0 });
  return element(
    'p',
    { class: 'crumbs', title: hit.url },
    href === undefined
      ? name
      : element('a', { href, 'data-go': 'page', title: `Search in ${hit.sourceName || site}` }, name),
    path.length > 0 && [' › ', element('bdi', {}, path.join(' › '))],
  );
}

/** The other places of the same document. */
function alsoView({ also, alsoTotal }: SearchHit): ViewElement {
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
  if (title.trim() === '' || title === url)
    return [element('span', { class: 'title' }, trail.at(-1) ?? (url || hit.oid))];
  const parts = [
    element('span', { class: 'title' }, marked(title.slice(0, tail), within(titleMatches, 0, tail))),
  ];
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

function timeView(seconds: number, words: string): ViewElement {
  const at = isoTime(seconds);
  return element(
    'time',
    // Numbers of a date keep their order in a card from right to left.
    { datetime: at, dir: 'ltr', title: at && `${day(seconds)}, ${at.slice(11, 16)} UTC` },
    words,
  );
}

const english = ({ language }: SearchHit) => (language === '' ? {} : { lang: 'en' });

/** The date of the document, or when it was gathered, and the Broker that has it, where that is another. */
function factsView(hit: SearchHit, { now, broker }: ResultSetting): ViewElement {
  const { modifiedAt, updatedAt } = hit;
  return element(
    'ul',
    { class: 'facts', ...english(hit) },
    modifiedAt !== null && modifiedAt > 0
      ? element('li', {}, timeView(modifiedAt, day(modifiedAt)))
      : updatedAt > 0 && element('li', {}, 'gathered ', timeView(updatedAt, age(updatedAt, now))),
    broker !== undefined &&
      element(
        'li',
        {},
        'from ',
        foundAtView(broker),
        broker.others.map((other, at) => [at === 0 ? ', also at ' : ', ', foundAtView(other)]),
      ),
  );
}

/** What few readers need: behind a button. */
function restView(hit: SearchHit, { now, checks, broker }: ResultSetting): ViewElement {
  const home = broker === undefined ? '' : safeHref(broker.url);
  // A match in the title can be seen there.
  const isPlain = (name: string) =>
    unremarkable.has(name) || (name === 'title' && hit.titleMatches.length > 0);
  const matched = hit.attributes.filter((name) => !isPlain(name.toLowerCase()));
  const kind = [hit.type, hit.size === null ? '' : size(hit.size)].filter((part) => part !== '').join(', ');
  const link = (href: string, words: string) =>
    element('li', {}, element('a', { href, class: 'summary' }, words));
  return element(
    'details',
    { class: 'rest', ...english(hit) },
    element('summary', {}, 'More', element('span', { class: 'unseen' }, ` about ${hit.title}`)),
    element(
      'ul',
      {},
      hit.url !== '' && element('li', { class: 'address' }, element('bdi', {}, hit.url)),
      kind !== '' && element('li', { class: 'kind' }, kind),
      hit.modifiedAt !== null &&
        hit.updatedAt > 0 &&
        element('li', {}, 'gathered ', timeView(hit.updatedAt, age(hit.updatedAt, now))),
      matched.length > 0 && element('li', {}, `matches in ${matched.join(', ').toLowerCase()}`),
      home !== undefined && link(`${home}objects/${encodeURIComponent(hit.oid)}`, 'summary'),
      home === '' &&
        hit.access.includes('table') &&
        link(`./table?oid=${encodeURIComponent(hit.oid)}`, 'as a table'),
      hit.alsoTotal > 0 && element('li', {}, alsoView(hit)),
      home === '' &&
        safeHref(hit.url) !== undefined &&
        element(
          'li',
          { class: 'check' },
          checks?.get(hit.oid) ??
            element('button', { type: 'button', 'data-check': hit.oid }, 'Report broken link'),
        ),
    ),
  );
}
