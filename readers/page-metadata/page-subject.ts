import { fragmentText } from '../html/index.ts';
import { oneLine } from '../text/index.ts';
import type { Thing, Value } from './thing.ts';

/** Kinds of works and events that a page is about, the likeliest first: an article has videos, seldom the reverse. */
const subjects: readonly RegExp[] = [
  /Article$|^(?:Blog|SocialMedia|DiscussionForum|LiveBlog)Posting$|^(?:Report|Thesis|Chapter|Book|Audiobook)$/,
  /^(?:Dataset|HowTo|Recipe|Course|JobPosting|Legislation|Manuscript|SheetMusic|Map|Periodical|Publication(?:Issue|Volume))$/,
  /^(?:Product|ProductGroup|IndividualProduct|Vehicle|Car|SoftwareApplication|SoftwareSourceCode|(?:Mobile|Web)Application|VideoGame)$/,
  /Event$|^(?:Festival|Hackathon|CourseInstance)$/,
  /^(?:Movie|TVSeries|TVEpisode|Episode|PodcastEpisode|PodcastSeries|Music(?:Album|Recording|Composition)|Painting|Photograph|Sculpture|VisualArtwork|Review|CreativeWork|DigitalDocument|PresentationDigitalDocument|Question)$/,
  /^(?:VideoObject|AudioObject|Clip)$/,
];
const pageKind = /Page$/;
const person = /^Person$/;
const organization =
  /Organization$|^(?:Corporation|NGO|Library|Consortium|Project|ResearchProject|Airline|Place|Restaurant|Hotel|Store|School|Museum)$|Business$|University$|Company$|Store$/;
const site = /^(?:WebSite|Blog)$/;
const maxCandidates = 1000;

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
}

/** Choose the things that a page is about among all that it describes, those of JSON-LD first. */
export function subjectsOf(roots: readonly Thing[], hints: PageHints): Subjects {
  const things = roots.slice(0, maxCandidates);
  const ofKind = (kind: RegExp) => things.filter(({ types }) => types.some((type) => kind.test(type)));
  const pages = ofKind(pageKind);
  const entities = pages.flatMap((page) => page.properties.get('mainEntity') ?? []).filter(isThing);
  const presented = entities.filter((entity) => rank(entity) === undefined && !isList(entity));
  const loose = things.filter(({ types }) => types.length === 0);
  const main =
    entities.find((entity) => rank(entity) !== undefined && entities.length === 1) ?? best(things, hints);
  const people = ofKind(person);
  const operators = ofKind(organization);
  return {
    main: main === undefined ? [] : [main, ...alike(main, things)],
    page: [
      ...presented,
      ...pages,
      ...loose,
      ...(people.length === 1 && main === undefined ? people : []),
      ...(main === undefined ? operators.slice(0, 1) : []),
    ],
    site: [...ofKind(site), ...operators],
  };
}

const isThing = (value: Value): value is Thing => typeof value !== 'string';
const isList = ({ types }: Thing) => types.some((type) => /List$|^(?:Question|Answer)$/.test(type));

function rank({ types }: Thing): number | undefined {
  const found = subjects.findIndex((kind) => types.some((type) => kind.test(type)));
  return found < 0 ? undefined : found;
}

/** The thing of the likeliest kind; of several of that kind the one with the page's address or title, if any. */
function best(things: readonly Thing[], { urls, base, title }: PageHints): Thing | undefined {
  const ranks = things.map(rank);
  const lowest = Math.min(...ranks.map((found) => found ?? subjects.length));
  const rivals = things.filter((_, at) => ranks[at] === lowest);
  if (rivals.length <= 1) return rivals[0];
  const isHere = (thing: Thing) =>
    ['url', 'mainEntityOfPage'].some((name) =>
      addressesOf(thing, name, base).some((address) => urls.includes(address)),
    ) ||
    (thing.id !== undefined && urls.includes(absolute(thing.id, base)));
  const here = rivals.filter(isHere);
  if (here.length > 0) return here[0];
  const named = rivals.filter((thing) => {
    const name = titleOf(thing);
    return name !== '' && (title ?? '').includes(name);
  });
  const [first] = named.length > 0 ? named : rivals;
  return first !== undefined &&
    (named.length > 0 ? named : rivals).every((other) => titleOf(other) === titleOf(first))
    ? first
    : undefined;
}

/** Other descriptions of the same thing: of the same title and a kind of the same rank. */
function alike(main: Thing, things: readonly Thing[]): Thing[] {
  const title = titleOf(main);
  return things.filter(
    (other) => other !== main && title !== '' && rank(other) === rank(main) && titleOf(other) === title,
  );
}

const titleOf = (thing: Thing) => textsOf(thing, ['headline', 'name'])[0] ?? '';

const absolute = (address: string, base: string) =>
  (URL.parse(address, base)?.href ?? address).replace(/#.*$/s, '');

/** The addresses in a property, absolute and without fragment; a thing's address is its `url`, `contentUrl` or id. */
export function addressesOf(thing: Thing, property: string, base: string): string[] {
  return (thing.properties.get(property) ?? []).slice(0, 100).flatMap((value) => {
    const written =
      typeof value === 'string'
        ? value
        : (['contentUrl', 'url']
            .flatMap((name) => value.properties.get(name) ?? [])
            .find((part) => typeof part === 'string') ?? value.id);
    return typeof written !== 'string' || written === '' ? [] : [absolute(written.trim(), base)];
  });
}

/** The texts of the first of these properties that has any; of a thing its name. */
export function textsOf(thing: Thing, properties: readonly string[]): string[] {
  for (const property of properties) {
    const texts = (thing.properties.get(property) ?? [])
      .slice(0, 1000)
      .map(nameOf)
      .filter((text) => text !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

/** A value as one line of text; of a thing its name, or the parts of a person's name. */
export function nameOf(value: Value, depth = 0): string {
  if (typeof value === 'string') return /[<&]/.test(value) ? fragmentText(value) : oneLine(value);
  if (depth > 3) return '';
  for (const property of ['name', 'headline', 'legalName', 'title', 'text']) {
    const [first] = value.properties.get(property) ?? [];
    const text = first === undefined ? '' : nameOf(first, depth + 1);
    if (text !== '') return text;
  }
  const parts = ['givenName', 'additionalName', 'familyName'].map((part) =>
    nameOf(value.properties.get(part)?.[0] ?? '', depth + 1),
  );
  return oneLine(parts.join(' '));
}
