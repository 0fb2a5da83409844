import { type Address, type FilterKind, groupSize, pageHref, sorts, toggled } from './address.ts';
import type { FacetValue, SearchAnswer } from './answers.ts';
import { type Child, element, type ViewElement } from './element.ts';

const atOnce = 8;

const sortNames: Readonly<Record<string, string>> = {
  ...{ '': 'Best first', date: 'Newest first', size: 'Largest first', title: 'By title', url: 'By address' },
};

/** The filters by site, type and more, and the order; undefined when there is nothing to choose. They fold on a phone. */
export function filterView(address: Address, answer: SearchAnswer): ViewElement | undefined {
  const sites = values(answer.facets.source, address.sources);
  const types = values(answer.facets.type, address.types);
  const more = answer.facets.more.map((facet) => ({
    heading: heading(facet.name),
    values: values(
      facet.values.map((one) => ({
        ...{ value: `${facet.name}:${one.value}`, count: one.count },
        name: facet.name === 'language' ? languageName(one.value) : one.name,
      })),
      address.filters.filter((filter) => filter.startsWith(`${facet.name}:`)),
    ),
  }));
  const groups = [
    groupView('Site', 'sources', sites, address),
    groupView('Type', 'types', types, address),
    ...more.map((facet) => groupView(facet.heading, 'filters', facet.values, address)),
  ].filter((group) => group !== undefined);
  const order = orderView(address, answer, sites.length > 1);
  if (groups.length === 0 && order === undefined) return undefined;
  const chosen = [...sites, ...types, ...more.flatMap((facet) => facet.values)].filter(({ value }) =>
    [...address.sources, ...address.types, ...address.filters].includes(value),
  );
  const names = chosen.map((facet) => facet.name);
  if (address.sort !== '') names.push((sortNames[address.sort] ?? '').toLowerCase());
  return element(
    'nav',
    { class: 'filters', 'aria-label': 'Filters' },
    element(
      'details',
      {},
      element(
        'summary',
        {},
        'Filter',
        names.length > 0 && element('span', { class: 'chosen' }, names.join(', ')),
      ),
      element('div', {}, groups, order),
    ),
  );
}

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

/** A language by its name; a value that is no language tag stays. */
function languageName(tag: string): string {
  try {
    return languageNames.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

const heading = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;

/** What comes first, and whether a site may fill the list. */
function orderView(address: Address, answer: SearchAnswer, hasSites: boolean): ViewElement | undefined {
  if (answer.total < 2) return undefined;
  const rows = ['', ...sorts].map((sort) =>
    linkRow({ ...address, sort, offset: 0 }, address.sort === sort, sortNames[sort]),
  );
  const group = { ...address, grouped: !address.grouped, offset: 0 };
  return element(
    'section',
    {},
    element('h2', {}, 'Order'),
    element(
      'ul',
      {},
      rows,
      (hasSites || address.grouped) && linkRow(group, address.grouped, `At most ${groupSize} of a site`),
    ),
  );
}

function linkRow(to: Address, chosen: boolean, ...words: readonly Child[]): ViewElement {
  return element(
    'li',
    {},
    element('a', { href: pageHref(to), 'data-go': true, 'aria-current': chosen ? 'true' : undefined }, words),
  );
}

/** The facet's values, with chosen ones that match nothing now, so that they can be taken back. */
function values(facets: readonly FacetValue[], chosen: readonly string[]): FacetValue[] {
  const missing = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  return [...facets, ...missing.map((value) => ({ value, name: value, count: 0 }))];
}

function groupView(
  heading: string,
  kind: FilterKind,
  facets: readonly FacetValue[],
  address: Address,
): ViewElement | undefined {
  if (facets.length < 2 && address[kind].length === 0) return undefined;
  const rows = facets.map((facet) => rowView(kind, facet, address));
  const rest = rows.slice(atOnce);
  return element(
    'section',
    {},
    element('h2', {}, heading),
    element('ul', {}, rows.slice(0, atOnce)),
    rest.length > 0 &&
      element('details', {}, element('summary', {}, `${rest.length} more`), element('ul', {}, rest)),
  );
}

function rowView(kind: FilterKind, facet: FacetValue, address: Address): ViewElement {
  const chosen = address[kind].includes(facet.value);
  return element(
    'li',
    {},
    element(
      'a',
      {
        href: pageHref(toggled(address, kind, facet.value)),
        'data-go': true,
        'aria-current': chosen ? 'true' : undefined,
        title: chosen ? 'Remove this filter' : undefined,
      },
      element('bdi', {}, facet.name),
      ' ',
      element('span', { class: 'number' }, facet.count.toLocaleString('en')),
    ),
  );
}
