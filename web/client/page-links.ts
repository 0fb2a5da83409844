import { type Address, pageHref, pageSize } from './address.ts';
import type { SearchAnswer } from './answers.ts';
import { element, type ViewElement } from './element.ts';

// The API skips at most a million results.
const maxPages = 100_001;
const around = 2;

const pagesOf = ({ entries }: SearchAnswer) => Math.min(maxPages, Math.ceil(entries / pageSize));
const pageOf = ({ offset }: Address) => Math.floor(offset / pageSize) + 1;

/** Whether the address is beyond the last result. */
export const isBeyond = (answer: SearchAnswer, address: Address): boolean =>
  answer.total > 0 && answer.hits.length === 0 && pageOf(address) > pagesOf(answer);

function linkTo(address: Address, page: number, words: string, rel?: string): ViewElement {
  const href = pageHref({ ...address, offset: (page - 1) * pageSize });
  const label = rel === undefined ? `Page ${words}` : undefined;
  return element('a', { href, rel, 'data-go': 'page', 'aria-label': label }, words);
}

/** The numbers to show: the first, the last, and those around the current one; 0 for a gap. */
export function shownPages(page: number, pages: number): number[] {
  const near = Array.from({ length: 2 * around + 1 }, (_, at) => page - around + at);
  const shown = [...new Set([1, ...near, pages])].filter((one) => one >= 1 && one <= pages);
  return shown.flatMap((one, at) => {
    const before = shown[at - 1] ?? one - 1;
    if (one - before === 2) return [one - 1, one];
    return one - before > 2 ? [0, one] : [one];
  });
}

/** The links to the other pages, by number. */
export function pagesView(answer: SearchAnswer, address: Address): ViewElement | undefined {
  const pages = pagesOf(answer);
  if (pages < 2) return undefined;
  const page = pageOf(address);
  return element(
    'nav',
    { class: 'pages', 'aria-label': 'Pages of results' },
    element('span', {}, page > 1 && linkTo(address, page - 1, '← Previous', 'prev')),
    element(
      'ol',
      {},
      shownPages(page, pages).map((one) => {
        const number = one.toLocaleString('en');
        if (one === 0) return element('li', { 'aria-hidden': 'true' }, '…');
        if (one !== page) return element('li', {}, linkTo(address, one, number));
        return element(
          'li',
          {},
          element('span', { 'aria-current': 'page', 'aria-label': `Page ${number}` }, number),
        );
      }),
    ),
    element('span', {}, page < pages && linkTo(address, page + 1, 'Next →', 'next')),
  );
}

/** Where there is no such page: how many there are, and the ways to the first and the last. */
export function noPageView(answer: SearchAnswer, address: Address): ViewElement {
  const pages = pagesOf(answer);
  const many = pages === 1 ? 'There is one page' : `There are ${pages.toLocaleString('en')} pages`;
  return element(
    'section',
    { class: 'none' },
    element('h1', { tabindex: -1 }, `There is no page ${pageOf(address).toLocaleString('en')}`),
    element('p', {}, `${many} of results for `, element('q', {}, answer.query.trim()), '.'),
    element(
      'p',
      { class: 'ways' },
      linkTo(address, 1, 'First page', 'first'),
      pages > 1 && [' ', linkTo(address, pages, 'Last page', 'last')],
    ),
  );
}
