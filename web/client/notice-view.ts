import { type Address, nothingAsked, pageHref } from './address.ts';
import type { AskedSource, SearchAnswer } from './answers.ts';
import { element, type ViewElement } from './element.ts';
import type { Failure } from './failure.ts';
import { listed, sentence } from './wording.ts';

/** Why there is no new answer, and what to do. `kept`: an earlier answer is shown below it. */
export function troubleView(trouble: Failure, address: Address, kept: boolean): ViewElement {
  return element(
    'section',
    { class: 'notice', 'data-kind': 'trouble' },
    element(kept ? 'p' : 'h1', { class: 'what', tabindex: kept ? undefined : -1 }, trouble.what),
    element('p', {}, trouble.cure, kept && ' The results below are the earlier ones.'),
    element('p', {}, element('a', { href: pageHref(address), 'data-go': 'again' }, 'Try again')),
  );
}

/** Notices above the results: missing sites, a relaxed query, a query that was understood differently. */
export function noticeViews(answer: SearchAnswer, address: Address): ViewElement[] {
  const down = answer.sources.filter((source) => source.state === 'down');
  const stale = answer.sources.filter((source) => source.state === 'stale');
  const notices: ViewElement[] = [];
  const say = (kind: string, words: string) =>
    notices.push(element('p', { class: 'notice', 'data-kind': kind }, words));
  if (answer.corrected !== null && answer.total > 0) notices.push(correctedView(answer.corrected, address));
  if (answer.relaxed && answer.total > 0)
    say('relaxed', 'No result has all of these words. These results have some of them.');
  if (down.length > 0)
    say(
      'partial',
      `${names(down)} ${down.length === 1 ? 'does' : 'do'} not answer now. The results include the objects collected earlier.`,
    );
  if (stale.length > 0)
    say(
      'partial',
      `${names(stale)} ${stale.length === 1 ? 'has' : 'have'} not answered for a while. New pages may be missing.`,
    );
  for (const note of answer.notes) say('note', sentence(note));
  return notices;
}

/** The corrected query that was answered, with a link to the typed one. */
function correctedView(corrected: string, address: Address): ViewElement {
  const exact = pageHref({ ...address, exact: true, offset: 0 });
  return element(
    'p',
    { class: 'notice', 'data-kind': 'corrected' },
    'No results for ',
    element('q', {}, address.query.trim()),
    '. Showing results for ',
    element('q', {}, corrected),
    '. ',
    element('a', { href: exact, 'data-go': true }, 'Search for the typed words'),
  );
}

function names(sources: readonly AskedSource[]): string {
  const few = sources.slice(0, 3).map((source) => source.name);
  const rest = sources.length - few.length;
  return listed(rest > 0 ? [...few, `${rest} more`] : few);
}

/** "Did you mean", as a link; the filters stay. */
export function suggestionView(answer: SearchAnswer, address: Address): ViewElement | undefined {
  if (answer.suggestion === null || answer.corrected !== null) return undefined;
  const href = pageHref({ ...address, query: answer.suggestion, exact: false, offset: 0 });
  return element(
    'p',
    { class: 'suggestion' },
    'Did you mean ',
    element('a', { href, 'data-go': true }, answer.suggestion),
    '?',
  );
}

/** No result: what was searched, words to leave out, filters to remove, and the searched sites. */
export function noResultView(answer: SearchAnswer, address: Address): ViewElement {
  const well = answer.sources.filter((source) => source.state !== 'down');
  const lost = answer.sources.filter((source) => source.state === 'down');
  return element(
    'section',
    { class: 'none' },
    element(
      'h1',
      { tabindex: -1 },
      'No result for ',
      element('q', {}, answer.query.trim()),
      answer.collecting !== null && ' yet',
    ),
    suggestionView(answer, address),
    waysView('Search', wider(address)),
    waysView('With fewer words', shorter(address)),
    element(
      'dl',
      {},
      answer.understood !== '' && [element('dt', {}, 'Understood as'), element('dd', {}, answer.understood)],
      answer.notes.length > 0 && [
        element('dt', {}, 'Note'),
        element('dd', {}, answer.notes.map(sentence).join(' ')),
      ],
      well.length > 0 && [element('dt', {}, 'Searched'), element('dd', {}, names(well))],
      lost.length > 0 && [element('dt', {}, 'Not answering'), element('dd', {}, names(lost))],
    ),
    element(
      'p',
      { class: 'quiet' },
      'Check the spelling, or try a more general word. The beginning of a word with a star finds all that begin so: ',
      element('code', {}, 'config*'),
      '.',
    ),
  );
}

interface Way {
  readonly words: string;
  readonly to: Address;
}

function waysView(label: string, ways: readonly Way[]): ViewElement | undefined {
  if (ways.length === 0) return undefined;
  return element(
    'p',
    { class: 'ways' },
    `${label}: `,
    ways.map(({ words, to }) => [
      element('a', { href: pageHref(to), 'data-go': true }, element('bdi', {}, words)),
      ' ',
    ]),
  );
}

/** The searches without one kind of filter, and without all. */
function wider(address: Address): Way[] {
  const { sources, types, filters, query } = address;
  const facets = [...new Set(filters.map((filter) => filter.split(':')[0] ?? ''))];
  const without = (facet: string) => filters.filter((filter) => !filter.startsWith(`${facet}:`));
  const ways = [
    ...(sources.length > 0 ? [{ words: 'all sites', to: { ...address, sources: [], offset: 0 } }] : []),
    ...(types.length > 0 ? [{ words: 'all types', to: { ...address, types: [], offset: 0 } }] : []),
    ...facets.map((facet) => ({
      words: `all ${facet}s`,
      to: { ...address, filters: without(facet), offset: 0 },
    })),
  ];
  return ways.length > 1 ? [...ways, { words: 'without filters', to: { ...nothingAsked, query } }] : ways;
}

const maxShorter = 4;

/** The searches without one word each, where the query is words only. */
function shorter(address: Address): Way[] {
  const words = address.query.trim().split(/\s+/);
  if (words.length < 2 || words.length > maxShorter || words.some((word) => /["():*~/]/.test(word)))
    return [];
  return words.map((_, left) => {
    const query = words.filter((_word, at) => at !== left).join(' ');
    return { words: query, to: { ...address, query, offset: 0 } };
  });
}
