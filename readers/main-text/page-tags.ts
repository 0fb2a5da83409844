/** How the reader handles an element; bits, because an element can have several. */
export const TagTrait = {
  /** Begins and ends blocks of text. */
  block: 1,
  /** Has no content and no end tag. */
  empty: 2,
  /** Its text is not read at all. */
  silent: 4,
  /** Line breaks matter. */
  preformatted: 8,
  /** End tags inside do not reach elements outside (HTML standard: scope). */
  scope: 16,
  /** Counted, not remembered: only emphasis. */
  emphasis: 32,
  /** Readers without scripts see it; others see its double. */
  fallback: 64,
  /** SVG or MathML: other parsing rules. */
  foreign: 128,
} as const;

/** One kind of element. */
export interface Tag {
  readonly id: number;
  readonly name: string;
  readonly traits: number;
  /** Ids of the open elements that this one's start tag ends (HTML standard: optional end tags). */
  readonly ends: ReadonlySet<number>;
}

interface Draft {
  readonly traits: number;
  readonly ends: string;
}

const drafts = new Map<string, Draft>();

function define(names: string, traits: number, ends = ''): void {
  for (const name of names.split(' ')) drafts.set(name, { traits, ends });
}

const { block, empty, silent, preformatted, scope, emphasis, fallback, foreign } = TagTrait;

define('html body', block);
define(
  'article section main nav aside header footer div center address blockquote details dialog dir dl fieldset ' +
    'figcaption figure form hgroup legend menu ol ul summary frameset search',
  block,
  'p',
);
define('table', block | scope, 'p');
define('caption', block | scope, 'p');
define('p', block, 'p');
define('h1 h2 h3 h4 h5 h6', block, 'p h1 h2 h3 h4 h5 h6');
define('li', block, 'p li');
define('dt dd', block, 'p dt dd');
define('tr', block, 'p td th tr');
define('thead tbody tfoot', block, 'p td th tr thead tbody tfoot');
define('td th', block | scope, 'p td th');
define('pre listing xmp plaintext', block | preformatted, 'p');
define('hr', block | empty, 'p');
define(
  'br img wbr input link meta base area col embed frame param source track basefont keygen command',
  empty,
);
define('script style template iframe textarea select datalist noframes noembed canvas', silent);
define('audio video object title', silent);
define('svg', silent | foreign);
define('math', foreign);
define('noscript', block | fallback);
define('a span label button time cite', 0);
define('b strong i em', emphasis);
// A reading between the signs of a word would part the word.
define('rt rp rtc', silent);
define('ruby rb', 0);

const ids = new Map([...drafts.keys()].map((name, id) => [name, id]));

/** The elements that the reader distinguishes, by lower-case name; all others are inline and without meaning. */
export const tagsByName: ReadonlyMap<string, Tag> = new Map(
  [...drafts].map(([name, { traits, ends }], id) => {
    const ended = ends.split(' ').flatMap((other) => ids.get(other) ?? []);
    return [name, { id, name, traits, ends: new Set(ended) }];
  }),
);

/** Readings of ruby annotations; their end tags may be missing. */
export const rubyReadings: ReadonlySet<string> = new Set(['rt', 'rp', 'rtc']);

/** Custom elements (a hyphen in the name) are blocks. */
export const customTag: Tag = { id: ids.size, name: 'custom', traits: block, ends: new Set() };

/** Number of tag ids. */
export const tagCount = ids.size + 1;

/** A tag's id by a name that is known to be in the table. */
export function tagId(name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new TypeError(`no such element in the table: ${name}`);
  return id;
}
