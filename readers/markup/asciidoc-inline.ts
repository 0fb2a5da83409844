import type { ReferenceCollector } from '../text/index.ts';

const macro = /(?<![\w])([a-z]{3,20}):(?!:)([^\s[\]`]{0,1000})\[((?:[^\]\\]|\\.){0,2000})\]/g;
const address =
  /(?:link:)?((?:https?|ftp|irc):\/\/[^\s<>[\]"'`|]{1,2000})(?:\[((?:[^\]\\]|\\.){0,1000})\])?/g;
const crossReference = /<<([^<>,\n]{1,500})(?:,([^<>]{1,500}))?>>/g;
const attribute = /\{([A-Za-z0-9_][\w-]{0,60})\}/g;

// Marks at the edge of a word; each pattern stops at its own mark, so a pass is linear.
const before = String.raw`(?<![\p{L}\p{N}\\])`;
const after = String.raw`(?![\p{L}\p{N}])`;
const constrained = ['*', '_', '`', '+', '#'].map((mark) => {
  const own = '*+'.includes(mark) ? `\\${mark}` : mark;
  return new RegExp(`${before}${own}([^\\s${own}](?:[^${own}\\n]{0,1000}[^\\s${own}])?)${own}${after}`, 'gu');
});
const unconstrained = /(\*\*|__|``|\+\+\+?|##)([^*_`+#\n]{1,1000})\1/g;

/** Attributes of AsciiDoc for characters (Asciidoctor, "Character replacement attributes"). */
const characters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    nbsp: ' ',
    sp: ' ',
    empty: '',
    apos: "'",
    quot: '"',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    deg: '°',
    plus: '+',
    brvbar: '¦',
    vbar: '|',
    amp: '&',
    lt: '<',
    gt: '>',
    startsb: '[',
    endsb: ']',
    caret: '^',
    asterisk: '*',
    tilde: '~',
    backslash: '\\',
    backtick: '`',
    litdd: '--',
    mdash: '—',
  }),
);

/** References of inline markup besides addresses: other manual pages. */
export interface AsciidocLinks {
  readonly references: ReferenceCollector;
  readonly pages: Set<string>;
}

/** The words of an AsciiDoc paragraph without its inline markup; links go to `links`. */
export function asciidocInline(
  source: string,
  attributes: ReadonlyMap<string, string>,
  links: AsciidocLinks,
): string {
  if (!/[*_`+#:<{^~\\]/.test(source)) return source;
  let text = source.includes('{')
    ? source.replace(
        attribute,
        (whole, name: string) => attributes.get(name.toLowerCase()) ?? characters.get(name) ?? whole,
      )
    : source;
  if (text.includes('://'))
    text = text.replace(address, (_, url: string, words: string | undefined) => {
      links.references.add(url.replace(/[.,;:!?)]+$/, ''), true);
      return words === undefined || words === '' ? url : firstPart(words);
    });
  if (text.includes('['))
    text = text.replace(macro, (_, name, target, words) => macroText(name, target, words, links));
  text = text.replace(crossReference, (_, target: string, words: string | undefined) => words ?? target);
  text = text.replace(unconstrained, '$2');
  for (const pattern of constrained) text = text.replace(pattern, '$1');
  return text
    .replace(/\\(?=[*_`+#{<[])/g, '')
    .replace(/(?<=[\p{L}\p{N}])--(?=[\p{L}\p{N}])|(?<=\s)--(?=\s)/gu, '—')
    .replaceAll("`'", '’');
}

function macroText(name: string, target: string, words: string, links: AsciidocLinks): string {
  switch (name) {
    case 'link':
    case 'mailto':
      links.references.add(name === 'mailto' ? `mailto:${target}` : target, true);
      return firstPart(words) || target;
    case 'xref':
      return words || target;
    case 'image':
    case 'icon':
      return firstPart(words);
    case 'stem':
    case 'latexmath':
    case 'asciimath':
    case 'anchor':
    case 'indexterm':
      return '';
    default:
      // Manual pages: linkgit:git-log[1], linkman:ls[1].
      if (/^\d\w{0,4}$/.test(words)) {
        if (links.pages.size < 500) links.pages.add(`${target}(${words})`);
        return `${target}(${words})`;
      }
      return `${target} ${words}`.trim();
  }
}

function firstPart(words: string): string {
  const comma = /,\s*\w+=/.exec(words)?.index ?? -1;
  return (comma < 0 ? words : words.slice(0, comma)).replace(/^"|"$/g, '').replace(/\^$/, '');
}
