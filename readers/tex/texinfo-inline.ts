import type { ReferenceCollector } from '../text/index.ts';
import { latexAccents, texLetters } from './latex-characters.ts';

const maxDepth = 100;

const glyphs: ReadonlyMap<string, string> = new Map(
  Object.entries({
    dots: '…',
    enddots: '…',
    copyright: '©',
    registeredsymbol: '®',
    TeX: 'TeX',
    LaTeX: 'LaTeX',
    bullet: '•',
    minus: '-',
    result: '⇒',
    expansion: '→',
    print: '-|',
    error: 'error-->',
    equiv: '≡',
    point: '⋆',
    euro: '€',
    pounds: '£',
    textdegree: '°',
    atchar: '@',
    lbracechar: '{',
    rbracechar: '}',
    backslashchar: '\\',
    hashchar: '#',
    comma: ',',
    ...texLetters,
    arrow: '→',
    quotedblleft: '“',
    quotedblright: '”',
    quoteleft: '‘',
    quoteright: '’',
    exclamdown: '¡',
    questiondown: '¿',
    tie: ' ',
  }),
);

const silent: ReadonlySet<string> = new Set([
  'anchor',
  'image',
  'math',
  'hyphenation',
  'inlineraw',
  'errormsg',
]);
const references: ReadonlySet<string> = new Set(['ref', 'xref', 'pxref', 'inforef', 'link']);

interface Open {
  readonly command: string;
  readonly parts: string[];
}

/** The words of a line of Texinfo without its commands; `values` come from `@set`. One pass. */
export function texinfoInline(
  source: string,
  values: ReadonlyMap<string, string>,
  links: ReferenceCollector,
): string {
  if (!/[@{}]/.test(source)) return dashes(source);
  const stack: Open[] = [{ command: '', parts: [] }];
  const put = (text: string) => stack.at(-1)?.parts.push(text);
  const pattern = /@([A-Za-z]+)(\{)?|@([,"'^`~=:.*?!@{} \n-])|[{}]/g;
  let from = 0;
  for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
    if (match.index > from) put(dashes(source.slice(from, match.index)));
    from = pattern.lastIndex;
    const [whole, command, brace, sign] = match;
    if (command !== undefined && brace !== undefined && stack.length < maxDepth)
      stack.push({ command, parts: [] });
    else if (command !== undefined) put(glyphs.get(command) ?? '');
    else if (sign !== undefined) {
      const accent = sign === ',' ? '\u0327' : latexAccents.get(sign);
      const letter = /^(?:\{([A-Za-z])\}|([A-Za-z]))/.exec(source.slice(from, from + 3));
      if (accent !== undefined && letter !== null && !'.'.includes(sign)) {
        put(`${letter[1] ?? letter[2] ?? ''}${accent}`.normalize());
        from = pattern.lastIndex = from + letter[0].length;
      } else if (/[@{}?!.]/.test(sign)) put(sign);
      else if (/[\s*]/.test(sign)) put(' ');
    } else if (whole === '{') {
      if (stack.length < maxDepth) stack.push({ command: '{', parts: [] });
    } else {
      const closed = stack.length > 1 ? stack.pop() : undefined;
      if (closed !== undefined) put(wordsOf(closed, values, links));
    }
  }
  put(dashes(source.slice(from)));
  while (stack.length > 1) {
    const open = stack.pop();
    if (open !== undefined) put(wordsOf(open, values, links));
  }
  return stack[0]?.parts.join('') ?? '';
}

function wordsOf(
  { command, parts }: Open,
  values: ReadonlyMap<string, string>,
  links: ReferenceCollector,
): string {
  const text = parts.join('');
  const glyph = glyphs.get(command);
  if (glyph !== undefined) return glyph;
  if (silent.has(command)) return '';
  if (command === 'value') return values.get(text) ?? text;
  const args = text.split(',').map((part) => part.trim());
  if (references.has(command)) return args[2] || args[1] || args[0] || '';
  if (command === 'url' || command === 'uref') {
    if (args[0] !== undefined && args[0] !== '') links.add(args[0], true);
    return args[2] || args[1] || args[0] || '';
  }
  if (command === 'email') return args[1] ? `${args[1]} <${args[0] ?? ''}>` : (args[0] ?? '');
  if (command === 'acronym' || command === 'abbr') return args[0] ?? '';
  if (command === 'footnote') return ` (${text}) `;
  const accent = latexAccents.get(
    command === 'dotaccent' ? '.' : command === 'ringaccent' ? 'r' : command === 'ubaraccent' ? 'b' : command,
  );
  if (accent !== undefined && /^\p{L}$/u.test(text)) return (text + accent).normalize();
  return text;
}

function dashes(text: string): string {
  if (!/--|``|''/.test(text)) return text;
  return text
    .replace(/---/g, '—')
    .replace(/(?<=[\p{L}\d])--(?=[\p{L}\d])/gu, '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”');
}
