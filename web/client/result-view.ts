import type { SearchHit } from './answers.ts';
import { element, type ViewElement } from './element.ts';
import { marked, passage } from './passage.ts';
import { crumbs, safeHref } from './remote-text.ts';
import { age, day, isoTime, size } from './wording.ts';

// Where nearly everything matches says nothing.
const unremarkable = new Set(['full-text', 'partial-text', 'body']);

/** One result: title, where it comes from, the best passage, and a quiet line of facts. */
export function resultView(hit: SearchHit, now: number): ViewElement {
  const trail = crumbs(hit.url, hit.sourceName);
  return element(
    'li',
    { class: 'result' },
    element('h2', {}, titleView(hit, trail)),
    element('p', { class: 'crumbs', title: hit.url }, element('bdi', {}, trail.join(' › '))),
    hit.snippet !== '' && element('p', { class: 'passage', dir: 'auto' }, passage(hit.snippet, hit.matches)),
    factsView(hit, now),
  );
}

function titleView(hit: SearchHit, trail: readonly string[]): ViewElement {
  const title =
    hit.title.trim() === '' ? [trail.at(-1) ?? (hit.url || hit.oid)] : marked(hit.title, hit.titleMatches);
  const href = safeHref(hit.url);
  if (href === undefined) return element('bdi', {}, title);
  return element('a', { href, rel: 'noopener noreferrer' }, element('bdi', {}, title));
}

function factsView(hit: SearchHit, now: number): ViewElement {
  const at = isoTime(hit.updatedAt);
  const matched = hit.attributes.filter((name) => !unremarkable.has(name.toLowerCase()));
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
    element(
      'li',
      {},
      element('a', { href: `objects/${encodeURIComponent(hit.oid)}`, class: 'summary' }, 'summary'),
    ),
  );
}
