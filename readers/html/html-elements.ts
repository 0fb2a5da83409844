import { NameTable } from './byte-name-table.ts';

/** How an element's content is read for its summary; bits, because an element can have several. */
export const Region = {
  /** Readers do not see its text. */
  hidden: 1,
  /** Navigation, page headers and footers. */
  boilerplate: 2,
  /** Line breaks matter. */
  preformatted: 4,
  heading: 8,
  /** A header or footer inside belongs to this part, not to the page. */
  sectioning: 16,
  /** SVG or MathML: other parsing rules. */
  foreign: 32,
  /** Nothing inside is read, nor are its links. */
  inert: 64,
  /** Nothing but its end matters: it ends the readings inside. */
  ruby: 128,
} as const;

/** Attributes that the reader looks at; all others are skipped unread. */
export const Attribute = {
  href: 0,
  src: 1,
  rel: 2,
  name: 3,
  content: 4,
  httpEquiv: 5,
  alt: 6,
  class: 7,
  lang: 8,
  hidden: 9,
  role: 10,
  type: 11,
  property: 12,
  style: 13,
  ariaHidden: 14,
  hreflang: 15,
  datetime: 16,
  pubdate: 17,
  open: 18,
  shadowRoot: 19,
  id: 20,
} as const;

export type AttributeId = (typeof Attribute)[keyof typeof Attribute];

/** Number of attributes in the table above. */
export const attributeCount = Object.keys(Attribute).length;

export const attributesByName = new NameTable<AttributeId>([
  ['href', Attribute.href],
  ['xlink:href', Attribute.href],
  ['src', Attribute.src],
  ['data', Attribute.src],
  ['rel', Attribute.rel],
  ['name', Attribute.name],
  ['property', Attribute.property],
  ['content', Attribute.content],
  ['http-equiv', Attribute.httpEquiv],
  ['alt', Attribute.alt],
  ['class', Attribute.class],
  ['lang', Attribute.lang],
  ['xml:lang', Attribute.lang],
  ['hidden', Attribute.hidden],
  ['role', Attribute.role],
  ['type', Attribute.type],
  ['style', Attribute.style],
  ['aria-hidden', Attribute.ariaHidden],
  ['hreflang', Attribute.hreflang],
  ['datetime', Attribute.datetime],
  ['pubdate', Attribute.pubdate],
  ['open', Attribute.open],
  ['shadowrootmode', Attribute.shadowRoot],
  ['id', Attribute.id],
]);

export interface Element {
  readonly id: number;
  readonly name: string;
  /** Begins and ends lines. */
  readonly block: boolean;
  /** Has no content and no end tag. */
  readonly empty: boolean;
  /** Separate from its neighbours on the same line, like a table's cells. */
  readonly spaced: boolean;
  readonly regions: number;
  /** Bits 1 << AttributeId. */
  readonly attributes: number;
  /** Open elements that this one's start tag ends (HTML standard: optional end tags). */
  readonly ends: ReadonlySet<string>;
}

const bit = (...ids: AttributeId[]) => ids.reduce<number>((bits, id) => bits | (1 << id), 0);

const hiding = bit(Attribute.hidden, Attribute.style, Attribute.ariaHidden);
const blockAttributes = hiding | bit(Attribute.role, Attribute.id);
const paragraph: ReadonlySet<string> = new Set(['p', 'rt', 'rp']);
const nothing: ReadonlySet<string> = new Set();

type Draft = Partial<Omit<Element, 'id' | 'name' | 'ends'>> & { readonly ends?: string };

const drafts = new Map<string, Draft>();

function define(names: string, draft: Draft): void {
  for (const name of names.split(' ')) drafts.set(name, draft);
}

const block: Draft = { block: true, attributes: blockAttributes };
const heading: Draft = { ...block, regions: Region.heading, ends: 'p h1 h2 h3 h4 h5 h6' };
const boilerplate: Draft = { ...block, regions: Region.boilerplate };
const sectioning: Draft = { ...block, regions: Region.sectioning };
const hidden: Draft = { regions: Region.hidden };
const cell: Draft = { spaced: true, attributes: blockAttributes, ends: 'p td th' };

define(
  'address blockquote center details dir div dl fieldset figcaption figure form frameset hgroup legend menu ' +
    'ol summary table ul caption search optgroup',
  block,
);
define('dialog', { ...block, attributes: blockAttributes | bit(Attribute.open) });
define('body', { block: true, attributes: bit(Attribute.lang) });
define('p', { ...block, ends: 'p rt rp' });
define('li', { ...block, ends: 'p li' });
define('dt dd', { ...block, ends: 'p dt dd' });
// A row that a style hides is folded: a script shows it at a click.
const rows = { ...block, attributes: bit(Attribute.hidden, Attribute.role) };
define('tr', { ...rows, ends: 'p td th tr' });
define('thead tbody tfoot', { ...rows, ends: 'p td th tr thead tbody tfoot' });
define('td th', cell);
define('pre listing xmp plaintext', { ...block, regions: Region.preformatted });
define('h1 h2 h3 h4 h5 h6', heading);
define('nav aside header footer', boilerplate);
define('main article section', sectioning);
define('script', { regions: Region.hidden | Region.inert, attributes: bit(Attribute.type) });
define('style', { regions: Region.hidden | Region.inert });
define('template', { regions: Region.hidden | Region.inert, attributes: bit(Attribute.shadowRoot) });
define('svg', { regions: Region.hidden | Region.foreign });
define('math', { regions: Region.foreign });
// What a formula was written in, beside what is shown.
define('annotation annotation-xml', hidden);
define('noscript textarea select datalist noframes noembed audio video canvas', hidden);
// A reading between the signs of a word would part the word.
define('rt rp', { ...hidden, ends: 'rt rp' });
define('rtc', { ...hidden, ends: 'rt rp rtc' });
define('ruby', { regions: Region.ruby });
define('rb', { ends: 'rt rp rtc' });
define('iframe', { ...hidden, attributes: bit(Attribute.src) });
define('object', { ...hidden, attributes: bit(Attribute.src) });
define('frame embed', { empty: true, attributes: bit(Attribute.src) });
define('hr', { block: true, empty: true });
define('br', { empty: true });
define('img', { empty: true, attributes: hiding | bit(Attribute.alt) });
define('area', { empty: true, attributes: bit(Attribute.href, Attribute.rel) });
define('base', { empty: true, attributes: bit(Attribute.href) });
define('link', {
  empty: true,
  attributes: bit(Attribute.href, Attribute.rel, Attribute.type, Attribute.hreflang),
});
define('meta', {
  empty: true,
  attributes: bit(Attribute.name, Attribute.property, Attribute.content, Attribute.httpEquiv),
});
define('basefont col command input isindex keygen param source track wbr', { empty: true });
define('html', { attributes: bit(Attribute.lang) });
define('a', {
  attributes: hiding | bit(Attribute.href, Attribute.rel, Attribute.class, Attribute.id, Attribute.name),
});
define('button', { spaced: true, attributes: hiding });
define('time', { attributes: hiding | bit(Attribute.datetime, Attribute.pubdate, Attribute.class) });
define('title', {});
define(
  'b i em strong span code tt u s small big sub sup abbr cite dfn kbd samp var q font label ins del mark bdi bdo output',
  { attributes: hiding | bit(Attribute.id) },
);

/** The elements that a summary distinguishes, by lower-case name; all others are inline and without meaning here. */
export const elementsByName = new NameTable<Element>(
  [...drafts].map(([name, draft], id): [string, Element] => {
    const ends = draft.ends === undefined ? undefined : new Set(draft.ends.split(' '));
    const element: Element = {
      id,
      name,
      block: draft.block ?? false,
      empty: draft.empty ?? false,
      spaced: draft.spaced ?? false,
      regions: draft.regions ?? 0,
      attributes: draft.attributes ?? 0,
      ends: ends ?? (draft.block ? paragraph : nothing),
    };
    return [name, element];
  }),
);

const hidingStyle = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;

/** Whether the attributes `hidden` and `style` hide an element; text that a search may uncover is not hidden. */
export function isHiding(hidden: string | undefined, style: string | undefined): boolean {
  return (
    (hidden !== undefined && hidden.trim().toLowerCase() !== 'until-found') ||
    (style !== undefined && hidingStyle.test(style))
  );
}

/** Whether attributes hide an element; `aria-hidden` counts for signs and icons within a line. */
export const isHidden = (values: readonly (string | undefined)[], isInline: boolean): boolean =>
  (isInline && values[Attribute.ariaHidden] === 'true') ||
  isHiding(values[Attribute.hidden], values[Attribute.style]);

/** ARIA roles that make an element boilerplate. */
export const boilerplateRoles: ReadonlySet<string> = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
]);

/** Relations of `link` elements that lead to pages worth gathering. */
export const followedRelations: ReadonlySet<string> = new Set(
  (
    'next prev previous first last up start top contents toc index glossary chapter section subsection appendix ' +
    'bookmark help copyright author license alternate'
  ).split(' '),
);

/** Classes of the small permanent-link anchors that documentation tools put after headings. */
export const permalinkClass =
  /(?:^|\s)(?:headerlink|header-anchor|heading-anchor|permalink|anchorjs-link)(?:\s|$)/i;
