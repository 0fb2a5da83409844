import { element, type ViewElement } from './element.ts';
import { safeHref, shown, throughCache } from './remote-text.ts';

/** A part of a page to open it at. */
export interface HitSection {
  /** At most 300 UTF-16 units. */
  readonly heading: string;
  /** The identifier of the heading in the page; null for none. */
  readonly anchor: string | null;
  /** Opens the page there. */
  readonly url: string;
}

/** The parts of a page that answer a search. */
export interface HitSections {
  /** The part that answers better than the page's title. */
  readonly section?: HitSection;
  /** At most three other parts that answer as well, best first. */
  readonly sections?: readonly HitSection[];
}

const maxSections = 3;
const maxUrl = 8192;

/** Read the sections of a hit; none from a Broker that names none. */
export function readSections({ section, sections }: Readonly<Record<string, unknown>>): HitSections {
  const first = readSection(section);
  const others = Array.isArray(sections)
    ? sections
        .slice(0, maxSections)
        .map(readSection)
        .filter((other) => other !== undefined)
    : [];
  return { ...(first && { section: first }), ...(others.length > 0 && { sections: others }) };
}

function readSection(value: unknown): HitSection | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { heading, anchor, url } = value as Readonly<Record<string, unknown>>;
  if (typeof heading !== 'string' || shown(heading) === '') return undefined;
  if (typeof url !== 'string' || url.length > maxUrl) return undefined;
  return { heading: shown(heading), anchor: typeof anchor === 'string' ? shown(anchor) : null, url };
}

/** Where a result leads: to the part of the page that answers, else to its beginning. */
export function hitHref(hit: { readonly url: string } & HitSections, cache = ''): string | undefined {
  const page = safeHref(hit.url);
  const part = hit.section && safeHref(hit.section.url);
  const target = throughCache(page, cache);
  // The browser keeps the fragment to itself; a cache gets the page's address alone.
  return part === undefined || target === undefined ? target : `${target}${new URL(part).hash}`;
}

/** The parts of a page under its result. */
export function sectionsView(
  hit: { readonly url: string } & HitSections,
  cache = '',
): ViewElement | undefined {
  const parts = [...(hit.section ? [hit.section] : []), ...(hit.sections ?? [])].slice(0, maxSections);
  const links = parts.flatMap((section) => {
    const href = hitHref({ url: hit.url, section }, cache);
    const words = element('bdi', {}, section.heading);
    return href === undefined
      ? []
      : [element('li', {}, element('a', { href, rel: 'noopener noreferrer' }, words))];
  });
  return links.length === 0
    ? undefined
    : element('ul', { class: 'sections', 'aria-label': 'Parts of this page' }, links);
}
