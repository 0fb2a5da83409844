import type { AttributeNote } from '../readers/document/index.ts';
import { precedence } from '../readers/page-metadata/index.ts';

/** The order in which a page's metadata count, for docs/summarisers.md. */
export function precedenceTable(): string[] {
  const rows = Object.entries(precedence).map(([attribute, { sources }]) => {
    const labels = sources.map(({ label }, at) => `${at + 1}. ${label}`);
    return `| ${attribute} | ${labels.join('; ')} |`;
  });
  return [
    '',
    'A page can name the same thing in several vocabularies. The first source with a good value counts; an address is no',
    'name of a person, and the name of a language is no tag. Names of `meta` elements are written as they are here.',
    '`schema.org` is the article, book, data set, product, event or other thing that the page is about, in JSON-LD,',
    'microdata or RDFa Lite; of several the one with the address or title of the page.',
    '',
    '| Attribute | Sources in their order |',
    '|---|---|',
    ...rows,
    '',
    'Text is left out where `hidden`, `display: none`, `visibility: hidden`, a closed `dialog`, `template` or `noscript` hides',
    'it, and an icon with `aria-hidden`; a page that has no other text is read with it. Rows of a table that a style hides',
    'are folded and stay. Readings of ruby annotations are left out, so that they do not part the words.',
  ];
}

/** The attributes of a type, for docs/summarisers.md: a row for each, with all its meanings. */
export function attributeTable(notes: readonly AttributeNote[]): string {
  const meanings = new Map<string, Set<string>>();
  for (const { name, what } of notes) meanings.set(name, (meanings.get(name) ?? new Set()).add(what));
  const cell = (what: ReadonlySet<string>) => [...what].join('<br>').replaceAll('|', '\\|');
  const row = ([name, what]: readonly [string, ReadonlySet<string>]) => `| ${name} | ${cell(what)} |`;
  return ['| Attribute | What it holds |', '|---|---|', ...[...meanings].map(row)].join('\n');
}
