import type { Meta } from '../html/index.ts';
import { languageTag, resolvedUrl } from '../text/index.ts';
import { addressesOf, containers, type Subjects, textsOf } from './page-subject.ts';
import type { Thing } from './thing.ts';

/** What a page's elements say, besides `meta` and structured data; as written, in the page's order. */
export interface PageElements {
  readonly title: string | undefined;
  readonly heading: string | undefined;
  readonly firstLine: string | undefined;
  readonly language: string | undefined;
  /** Words of links with `rel=author` and `rel=tag`. */
  readonly authors: readonly string[];
  readonly tags: readonly string[];
  /** Dates of `time` elements that say that they are the date of publication, or of the only one. */
  readonly dates: readonly string[];
  readonly licences: readonly string[];
  readonly image: string | undefined;
}

/** Everything that a page says of itself. */
export interface PageFacts extends PageElements {
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly subjects: Subjects;
  /** The address that relative ones are relative to. */
  readonly base: string;
}

/** A place that an attribute's values can come from. */
export interface Source {
  /** As docs/summarisers.md names it. */
  readonly label: string;
  /** Values by each of its names. */
  readonly reads: readonly ((page: PageFacts) => readonly string[])[];
}

/** `meta` elements; the first name with a good value counts. */
export function meta(...names: readonly string[]): Source {
  return {
    label: names.map((name) => `\`${name}\``).join(', '),
    reads: names.map(
      (name) =>
        ({ metas }) =>
          metas.get(name) ?? [],
    ),
  };
}

type Tier = keyof Subjects;
const tiers: Readonly<Record<Tier, string>> = {
  main: 'schema.org',
  page: 'schema.org of the page',
  site: 'schema.org of the site',
  people: 'schema.org of the only person',
};

/** Texts in properties of things; the first property with a good value counts. */
export function schema(tier: Tier, ...properties: readonly string[]): Source {
  return ofThings(tier, properties, (thing, property) => textsOf(thing, [property]));
}

/** Addresses in properties of things. */
export function address(tier: Tier, ...properties: readonly string[]): Source {
  return ofThings(tier, properties, addressesOf);
}

function ofThings(
  tier: Tier,
  properties: readonly string[],
  read: (thing: Thing, property: string, base: string) => readonly string[],
): Source {
  return {
    label: `${tiers[tier]} ${properties.map((name) => `\`${name}\``).join(', ')}`,
    reads: properties.map(
      (property) =>
        ({ subjects, base }) =>
          fromFirst(subjects[tier], (thing) => read(thing, property, base)),
    ),
  };
}

/** A property of the journal or book, the outermost first: its issues and volumes have names too. */
export function inContainer(property: string): Source {
  return {
    label: `schema.org \`isPartOf\` \`${property}\``,
    reads: [
      ({ subjects: { main } }) =>
        fromFirst(main, (thing) =>
          fromFirst(containers(thing).toReversed(), (outer) => textsOf(outer, [property])),
        ),
    ],
  };
}

function fromFirst(things: readonly Thing[], read: (thing: Thing) => readonly string[]): readonly string[] {
  for (const thing of things) {
    const values = read(thing);
    if (values.length > 0) return values;
  }
  return [];
}

/** Something else that the page says. */
export const element = (
  label: string,
  read: (page: PageFacts) => string | undefined | readonly string[],
): Source => ({
  label,
  reads: [(page) => [read(page) ?? []].flat()],
});

const maxAddress = 2048;
const isAddress = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/|www\.|facebook\.com\/)/i;

/** A title that is the name of the whole site is no page's title. */
export const unlessSite = ({ label, reads }: Source): Source => ({
  label,
  reads: reads.map((read) => (page) => {
    const site = page.metas.get('og:site_name')?.[0];
    return read(page).filter((value) => value !== site || page.title === undefined || page.title === site);
  }),
});

/** An attribute with its sources, the first with a good value counts. */
export interface Rule {
  /** For docs/summarisers.md. */
  readonly what: string;
  readonly sources: readonly Source[];
  /** A value as it is kept; undefined when it is none. */
  readonly value?: (value: string, page: PageFacts) => string | undefined;
  /** `first` value alone, all `joined` by commas or as `lines`, or `each` as an attribute of its own. */
  readonly keep: 'first' | 'joined' | 'lines' | 'each';
}

export const words = (value: string) => (isAddress.test(value) ? undefined : value);
const nobody = /^(?:admin|administrator|author|anonymous|unknown)$/i;
/** A person's name; a site's own handle and the name of an account for everyone are none. */
export const author = (value: string, { metas }: PageFacts) =>
  nobody.test(value) || metas.get('twitter:site')?.includes(value) === true
    ? undefined
    : words(value)?.replace(/^by\s+(?=\p{Lu})/iu, '');
/** `de_AT` of Open Graph is `de-AT`; the name of a language is no tag, and `und` is none (RFC 5646 2.2.1). */
export const language = (value: string) => {
  const tag = languageTag(value.replace(/_/g, '-'));
  return tag === undefined || /^(?:[a-z]{4}|und\b)/i.test(tag) ? undefined : tag;
};

export function webAddress(value: string, { base }: PageFacts): string | undefined {
  const url = resolvedUrl(value, base);
  return url !== undefined && /^https?:/.test(url) && url.length <= maxAddress ? url : undefined;
}

/** Prices with their currency: `9.50 EUR`. */
export const offers: Source = {
  label: 'schema.org `offers`',
  reads: [({ subjects }) => fromFirst(subjects.main, prices)],
};

function prices(thing: Thing): string[] {
  return (thing.properties.get('offers') ?? []).slice(0, 10).flatMap((offer) => {
    if (typeof offer === 'string') return [];
    const specified = offer.properties.get('priceSpecification') ?? [];
    for (const part of [offer, ...specified]) {
      const [price] = typeof part === 'string' ? [] : textsOf(part, ['price', 'lowPrice']);
      if (price === undefined || typeof part === 'string') continue;
      return [`${price} ${[part, offer].flatMap((one) => textsOf(one, ['priceCurrency']))[0] ?? ''}`];
    }
    return [];
  });
}

/** A licence by its address, or by its name where it has none. */
export function licence(value: string, page: PageFacts): string | undefined {
  return value.includes('/') || value.includes('.htm') ? webAddress(value, page) : value;
}

/** `meta` values by name in lower case, with one spelling for the names of Dublin Core and of Highwire. */
export function metaNames(metas: readonly Meta[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { name, content } of metas) {
    const known = name
      .replace(
        /^(dc|dcterms?|eprints|prism)[.:_]/,
        (_, prefix: string) => `${prefix.replace(/^dcterm$/, 'dcterms')}.`,
      )
      .replace(/^bepress_(?=citation_)/, '');
    const list = values.get(known);
    if (list === undefined) values.set(known, [content]);
    else if (list.length < 200 && !list.includes(content)) list.push(content);
  }
  return values;
}
