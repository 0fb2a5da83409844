import { type Address, pageHref, toggled } from './address.ts';
import type { FacetValue, SearchAnswer } from './answers.ts';
import { element, type ViewElement } from './element.ts';

const atOnce = 8;

type Kind = 'sources' | 'types';

/** The filters by site and type; undefined when there is nothing to choose between. They fold on a phone. */
export function filterView(address: Address, answer: SearchAnswer): ViewElement | undefined {
  const sites = values(answer.facets.source, address.sources);
  const types = values(answer.facets.type, address.types);
  const groups = [
    groupView('Site', 'sources', sites, address),
    groupView('Type', 'types', types, address),
  ].filter((group) => group !== undefined);
  if (groups.length === 0) return undefined;
  const chosen = [...sites, ...types].filter(
    (facet) => address.sources.includes(facet.value) || address.types.includes(facet.value),
  );
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
        chosen.length > 0 &&
          element('span', { class: 'chosen' }, chosen.map((facet) => facet.name).join(', ')),
      ),
      element('div', {}, groups),
    ),
  );
}

/** The facet's values, with chosen ones that match nothing now, so that they can be taken back. */
function values(facets: readonly FacetValue[], chosen: readonly string[]): FacetValue[] {
  const missing = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  return [...facets, ...missing.map((value) => ({ value, name: value, count: 0 }))];
}

function groupView(
  heading: string,
  kind: Kind,
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

function rowView(kind: Kind, facet: FacetValue, address: Address): ViewElement {
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
        title: chosen ? 'Show the others again' : undefined,
      },
      element('bdi', {}, facet.name),
      ' ',
      element('span', { class: 'number' }, facet.count.toLocaleString('en')),
    ),
  );
}
