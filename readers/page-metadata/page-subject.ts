import { fragmentText } from '../html/index.ts';
import { oneLine, resolvedUrl } from '../text/index.ts';
import type { Thing, Value } from './thing.ts';

/** Kinds of works and events that a page is about, the likeliest first: an article has videos, seldom the reverse. */
const subjects: readonly RegExp[] = [
  /Article$|^(?:Blog|SocialMedia|DiscussionForum|LiveBlog)Posting$|^(?:Report|Thesis|Chapter|Book|Audiobook)$/,
  /^(?:Dataset|HowTo|Recipe|Course|JobPosting|Legislation|Manuscript|SheetMusic|Map|Periodical|Publication(?:Issue|Volume))$/,
  /^(?:Product|ProductGroup|IndividualProduct|Vehicle|Car|SoftwareApplication|SoftwareSourceCode|(?:Mobile|Web)Application|VideoGame)$/,
  /Event$|^(?:Festival|Hackathon|CourseInstance)$/,
  /^(?:Movie|TVSeries|TVEpisode|Episode|PodcastEpisode|PodcastSeries|Music(?:Album|Recording|Composition)|Painting|Photograph|Sculpture|VisualArtwork|Review|CreativeWork|DigitalDocument|PresentationDigitalDocument)$/,
  /^(?:VideoObject|AudioObject|Clip)$/,
];
const pageKind = /Page$/;
const person = /^Person$/;
const organization =
  /Organization$|^(?:Corporation|NGO|Library|Consortium|Project|ResearchProject|Airline|Place|Restaurant|Hotel|Store|School|Museum)$|Business$|University$|Company$|Store$/;
const site = /^(?:WebSite|Blog)$/;
const maxCandidates = 200;

/** What helps to tell which of several things a page is about. */
export interface PageHints {
  /** Addresses of the page: its own and the canonical one, absolute. */
  readonly urls: readonly string[];
  readonly base: string;
  readonly title: string | undefined;
}

/** The things of a page that its attributes come from; each may be missing. */
export interface Subjects {
  /** The work, product or event that the page is about, as JSON-LD, microdata or RDFa describe it. */
  readonly main: readonly Thing[];
  /** The page itself, or the person or organisation that it presents. */
  readonly page: readonly Thing[];
  /** The site or its operator. */
  readonly site: readonly Thing[];
  /** The only person of a page that is about nothing else. */
  readonly people: readonly Thing[];
}

/** Choose the things that a page is about among all that it describes, those of JSON-LD first. */
export function subjectsOf(roots: readonly Thing[], hints: PageHints): Subjects {
  const things = roots
    // The posts of a blog are its parts.
    .flatMap((thing) => [
      thing,
      ...(isOf(thing, site) ? (thing.properties.get('blogPost') ?? []).filter(isThing) : []),
    ])
    .slice(0, maxCandidates)
    .map((thing) => ({ thing, title: titleOf(thing), rank: rankOf(thing) }));
  const ofKind = (kind: RegExp) => things.filter(({ thing }) => isOf(thing, kind)).map(({ thing }) => thing);
  const pages = ofKind(pageKind);
  const entities = pages.flatMap((page) =>
    (page.properties.get('mainEntity') ?? [])
      .filter(isThing)
      .map((thing) =>
        rankOf(thing) < subjects.length || isOf(page, /^(?:Profile|QA)Page$/) ? thing : undefined,
      ),
  );
  // Several are a list, such as questions with their answers.
  const entity = entities.length === 1 ? entities[0] : undefined;
  const main = entity ?? best(things, hints);
  const title = main === undefined ? '' : titleOf(main);
  const rank = main === undefined ? undefined : rankOf(main);
  // Other descriptions of the same thing, as in microdata.
  const alike = things.filter(
    (other) => other.thing !== main && title !== '' && other.title === title && other.rank === rank,
  );
  const people = main === undefined ? ofKind(person) : [];
  // The organiser of an event and the employer of a person do not operate the site.
  const held = new Set([main, ...people].flatMap((thing) => [...(thing?.properties.values() ?? [])].flat()));
  const operators = ofKind(organization).filter((thing) => thing === main || !held.has(thing));
  return {
    main: main === undefined ? [] : [main, ...alike.map(({ thing }) => thing)],
    page: [
      ...pages,
      ...things.filter(({ thing }) => thing.types.length === 0).map(({ thing }) => thing),
      ...(people.length === 1 ? people : []),
      ...(main === undefined ? operators.slice(0, 1) : []),
    ],
    site: [...ofKind(site), ...operators],
    people: people.length === 1 ? people : [],
  };
}

const isThing = (value: Value): value is Thing => typeof value !== 'string';
const isOf = ({ types }: Thing, kind: RegExp) => types.some((type) => kind.test(type));

interface Candidate {
  readonly thing: Thing;
  readonly title: string;
  readonly rank: number;
}

const titleOf = (thing: Thing) => textsOf(thing, ['headline', 'name'])[0] ?? '';

/** Smaller for the likelier kind of a page's subject. */
function rankOf(thing: Thing): number {
  const found = subjects.findIndex((kind) => isOf(thing, kind));
  return found < 0 ? subjects.length : found;
}

/** The thing of the likeliest kind; of several of that kind the one with the page's address or title, if any. */
function best(things: readonly Candidate[], { urls, base, title = '' }: PageHints): Thing | undefined {
  const lowest = Math.min(...things.map(({ rank }) => rank));
  const isHere = ({ thing }: Candidate) =>
    [
      ...['url', 'mainEntityOfPage'].flatMap((name) => addressesOf(thing, name, base)),
      absolute(thing.id ?? '', base),
    ].some((address) => urls.includes(address));
  if (lowest === subjects.length) {
    // People and organisations are on every page of their site; the page about them has their name.
    const named = things.filter(
      (one) =>
        (isOf(one.thing, person) || isOf(one.thing, organization)) &&
        one.title !== '' &&
        title.startsWith(one.title),
    );
    return named[0]?.thing;
  }
  const rivals = things.filter(({ rank }) => rank === lowest);
  if (rivals.length <= 1) return rivals[0]?.thing;
  const here = rivals.find(isHere);
  if (here !== undefined) return here.thing;
  const named = rivals.filter((one) => one.title !== '' && title.includes(one.title));
  const left = named.length > 0 ? named : rivals;
  return left.every((other) => other.title === left[0]?.title) ? left[0]?.thing : undefined;
}

const absolute = (address: string, base: string) =>
  address === '' ? '' : (resolvedUrl(address, base) ?? address);

/** The addresses in a property, absolute and without fragment; a thing's address is its `url`, `contentUrl` or id. */
export function addressesOf(thing: Thing, property: string, base: string): string[] {
  return (thing.properties.get(property) ?? []).slice(0, 100).flatMap((value) => {
    const written = addressIn(value);
    return written === undefined || written === '' ? [] : [absolute(written.trim(), base)];
  });
}

/** `_:` begins the label of a node without an address (JSON-LD 1.1, 4.5.1). */
function addressIn(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  const parts = ['contentUrl', 'url'].flatMap((name) => value.properties.get(name) ?? []);
  const written = parts.map((part) => (isThing(part) ? part.id : part)).find((part) => part !== undefined);
  return written ?? (value.id?.startsWith('_:') === true ? undefined : value.id);
}

/** The texts of the first of these properties that has any; of a thing its name. */
export function textsOf(thing: Thing, properties: readonly string[]): string[] {
  for (const property of properties) {
    const texts = (thing.properties.get(property) ?? [])
      .slice(0, 1000)
      .flatMap((value) => namesOf(value))
      .filter((text) => text !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

/** What names things of some types better than their name. */
const nameOf: Readonly<Record<string, readonly string[]>> = {
  Language: ['alternateName'],
  HowToSection: ['itemListElement'],
  HowToStep: ['text'],
};

/** A value as lines of text; of a thing its names, the parts of a person's name, or an address. */
function namesOf(value: Value, depth = 0): string[] {
  if (typeof value === 'string') return [/[<&]/.test(value) ? fragmentText(value) : oneLine(value)];
  if (depth > 3) return [];
  const own = Object.entries(nameOf).find(([type]) => value.types.includes(type))?.[1] ?? [];
  for (const property of [...own, 'name', 'headline', 'legalName', 'title', 'text']) {
    const names = (value.properties.get(property) ?? [])
      .slice(0, 16)
      .flatMap((name) => namesOf(name, depth + 1));
    if (names.length > 0) return names;
  }
  const joined = (names: readonly string[], sign: string) =>
    names
      .flatMap((name) => value.properties.get(name)?.slice(0, 1) ?? [])
      .flatMap((part) => namesOf(part, depth + 1))
      .join(sign);
  const person = joined(['givenName', 'additionalName', 'familyName'], ' ');
  return [
    person === ''
      ? joined(
          ['streetAddress', 'postalCode', 'addressLocality', 'addressRegion', 'addressCountry', 'address'],
          ', ',
        )
      : person,
  ];
}

/** The journal, book or series that a work is in, with the volumes and issues between. */
export function containers(thing: Thing): readonly Thing[] {
  const found: Thing[] = [];
  for (let around: Thing | undefined = thing; around !== undefined && found.length < 5; ) {
    const outer: Thing | undefined = (around.properties.get('isPartOf') ?? []).find(isThing);
    if (outer === undefined || found.includes(outer)) break;
    found.push(outer);
    around = outer;
  }
  return found.filter((one) =>
    isOf(
      one,
      /^(?:Publication(?:Issue|Volume)|Periodical|Newspaper|Book|BookSeries|CreativeWorkSeries)$|Journal$/,
    ),
  );
}
