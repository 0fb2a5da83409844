import { type Address, groupSize, isAsked, pageHref } from './address.ts';
import type { BrokerStatus, SearchAnswer, SearchHit } from './answers.ts';
import { type Child, element, flatten, type ViewElement, type ViewNode } from './element.ts';
import type { Failure } from './failure.ts';
import { filterView } from './filter-view.ts';
import { firstView, type RecentModel } from './first-view.ts';
import { noResultView, noticeViews, suggestionView, troubleView } from './notice-view.ts';
import { isBeyond, noPageView, pagesView } from './page-links.ts';
import { resultView } from './result-view.ts';
import { count, duration } from './wording.ts';

// A dash, bar or dot between blanks divides a title; the last part is often the site's own name.
const divider = /\s+(?:-{1,3}|[–—|·•»]|::)\s+(?=\S)/gu;

function tailStart(title: string): number {
  let start = 0;
  for (const { index } of title.matchAll(divider)) start = index;
  return start;
}

/**
 * The start of the ending that each title shares with other results of the same site, by object; such an ending
 * distinguishes results of that site from others, not from each other.
 */
export function sharedTails(hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const key = (hit: SearchHit, start: number) => `${hit.source}\n${hit.title.slice(start)}`;
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  for (const hit of hits) {
    const start = tailStart(hit.title);
    if (start === 0) continue;
    starts.set(hit.oid, start);
    counts.set(key(hit, start), (counts.get(key(hit, start)) ?? 0) + 1);
  }
  const shared = new Map<string, number>();
  for (const hit of hits) {
    const start = starts.get(hit.oid);
    if (start !== undefined && (counts.get(key(hit, start)) ?? 0) > 1) shared.set(hit.oid, start);
  }
  return shared;
}

/** Everything the page below the box depends on; the server and the browser draw it with the same functions. */
export interface SearchModel {
  readonly address: Address;
  /** The last answer that arrived; it stays until the next one. */
  readonly answer: SearchAnswer | undefined;
  readonly status: BrokerStatus | undefined;
  readonly trouble: Failure | undefined;
  /** What was found out about links that the reader called dead, by object. */
  readonly checks?: ReadonlyMap<string, string>;
  /** Address of an Object Cache that results are opened through; empty for none. */
  readonly cache?: string;
  /** The reader's last searches, where the browser keeps them. */
  readonly recent?: RecentModel | undefined;
  /** Seconds since 1970. */
  readonly now: number;
}

/** The page below the box in every state it can be in. */
export function contentView(model: SearchModel): ViewNode[] {
  const { address, answer, status, trouble, now } = model;
  const asked = isAsked(address);
  const kept = asked ? answer !== undefined : status !== undefined;
  const filters = asked && answer !== undefined ? filterView(address, answer) : undefined;
  // The column stays when it is empty: nothing moves when filters come and go.
  return [
    filters ?? element('div', { class: 'filters' }),
    element(
      'div',
      { class: 'main' },
      trouble !== undefined && troubleView(trouble, address, kept),
      asked
        ? answer !== undefined && answerViews(answer, model)
        : status && firstView(status, now, model.recent),
    ),
  ];
}

/** The document's title in that state. */
export function documentTitle(address: Address, name: string): string {
  return isAsked(address) ? `${address.query.trim()} – ${name}` : name;
}

/** One sentence for screen readers. */
export function spokenState(model: SearchModel): string {
  if (model.trouble) return `${model.trouble.what}. ${model.trouble.cure}`;
  if (!isAsked(model.address) || !model.answer) return '';
  return model.answer.total === 0 ? 'No result' : count(model.answer.total, 'result');
}

function answerViews(answer: SearchAnswer, model: SearchModel): Child {
  const { address } = model;
  if (answer.hits.length === 0 && answer.total === 0) return noResultView(answer, address);
  if (isBeyond(answer, address)) return noPageView(answer, address);
  const first = Math.min(address.offset + 1, answer.total);
  const tails = sharedTails(answer.hits);
  return flatten([
    element(
      'h1',
      { class: 'count', tabindex: -1 },
      count(answer.total, 'result'),
      element('span', { class: 'unseen' }, ` for ${answer.query.trim()}`),
      element('span', { class: 'took' }, ` in ${duration(answer.tookMs)}`),
    ),
    noticeViews(answer, address),
    suggestionView(answer, address),
    element(
      'ol',
      { class: 'results', start: first },
      answer.hits.map((hit) => resultView(hit, model, tails.get(hit.oid))),
    ),
    moreOfSourceViews(answer, address),
    pagesView(answer, address),
  ]);
}

/** Where results are grouped: the ways to all results of the sites on this page. */
function moreOfSourceViews(answer: SearchAnswer, address: Address): ViewElement | undefined {
  if (!address.grouped) return undefined;
  const shown = new Set(answer.hits.map((hit) => hit.source));
  const more = answer.facets.source.filter(
    ({ value, count: found }) => shown.has(value) && found > groupSize,
  );
  if (more.length === 0) return undefined;
  const whole = (source: string) => pageHref({ ...address, sources: [source], grouped: false, offset: 0 });
  return element(
    'ul',
    { class: 'more' },
    more.map(({ value, name, count: found }) =>
      element(
        'li',
        {},
        element(
          'a',
          { href: whole(value), 'data-go': 'page' },
          `${count(found - groupSize, 'more', 'more')} from `,
          element('bdi', {}, name),
        ),
      ),
    ),
  );
}
