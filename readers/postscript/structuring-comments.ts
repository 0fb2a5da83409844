/** The structuring comments of a PostScript file (Adobe Document Structuring Conventions 3.0). */
export interface StructuringComments {
  readonly title?: string;
  readonly creator?: string;
  readonly for?: string;
  readonly created?: string;
  readonly pages?: string;
  readonly languageLevel?: string;
  readonly boundingBox?: string;
  readonly fonts: readonly string[];
}

const headSearched = 64 * 1024;
const tailSearched = 16 * 1024;
const maxFonts = 500;

/** The comments of the header and, for `(atend)` values, the trailer. `source` is Latin-1 text. */
export function readStructuringComments(source: string): StructuringComments {
  const values = new Map<string, string>();
  const fonts = new Set<string>();
  let key = '';
  const header = source.slice(0, headSearched);
  // Fonts and procedures behind the header have comments of their own.
  const end = /^%%(?:EndComments|BeginProlog|BeginResource|BeginDefaults|Page:)/m.exec(header)?.index;
  const trailer = source.lastIndexOf('%%Trailer');
  const behind = Math.max(end ?? header.length, trailer, source.length - tailSearched);
  const parts = [header.slice(0, end), trailer < 0 ? '' : source.slice(behind)];
  for (const line of parts.join('\n').split(/\r\n?|\n/)) {
    if (!line.startsWith('%%')) continue;
    const [, name = '', value = ''] = /^%%(\+|\w+):?\s*(.{0,1000})/.exec(line) ?? [];
    if (name !== '+') key = name;
    if (name !== '' && name !== '+' && !/^\(atend\)/.test(value) && !values.has(name))
      values.set(name, value.trim());
    if (/^Document(?:Needed|Supplied)?(?:Fonts|Resources)$/.test(key))
      addFonts(fonts, value, /Fonts$/.test(key));
  }
  const found: Record<string, string> = {};
  for (const [property, comment] of comments) {
    const value = plain(values.get(comment) ?? '');
    if (value !== '') found[property] = value;
  }
  return { ...found, fonts: [...fonts] };
}

const comments = [
  ['title', 'Title'],
  ['creator', 'Creator'],
  ['for', 'For'],
  ['created', 'CreationDate'],
  ['pages', 'Pages'],
  ['languageLevel', 'LanguageLevel'],
  ['boundingBox', 'BoundingBox'],
] as const;

function addFonts(fonts: Set<string>, value: string, all: boolean): void {
  const [kind, ...names] = value.split(/\s+/);
  const listed = all ? [kind, ...names] : kind === 'font' ? names : [];
  for (const name of listed)
    if (name !== undefined && /^[\w+-]{2,64}$/.test(name) && fonts.size < maxFonts) fonts.add(name);
}

// A value may be in parentheses, as a string of the language.
function plain(value: string): string {
  const inner = /^\(([\s\S]*)\)$/.exec(value)?.[1];
  return inner === undefined
    ? value
    : inner
        .replace(/\\([0-7]{3})/g, (_, digits: string) =>
          String.fromCharCode(Number.parseInt(digits, 8) & 0xff),
        )
        .replace(/\\(.)/g, '$1');
}
