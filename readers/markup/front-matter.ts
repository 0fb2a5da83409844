import { beginning } from '../text/index.ts';
import { readTomlFields } from './front-matter-toml.ts';
import { readYamlFields } from './front-matter-yaml.ts';

/** The fields at the head of a Markdown file, by lower-case key, and the line the body begins on. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly bodyLine: number;
}

const maxLines = 500;
const maxLineLength = 8 * 1024;

/**
 * The front matter of a text: YAML between `---`, TOML between `+++`, a JSON object, lines `Title: ...` before a blank
 * line (Pelican, MultiMarkdown), or a title block of Pandoc (`% title`). Unreadable lines are skipped.
 */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const none: FrontMatter = { fields: new Map(), bodyLine: 0 };
  const head = lines.slice(0, maxLines).map((line) => beginning(line.trimEnd(), maxLineLength));
  const [first = ''] = head;
  const until = (closing: RegExp) => head.findIndex((line, at) => at > 0 && closing.test(line));
  // Never closed: it was a rule and text.
  const fenced = (end: number, read: (inside: readonly string[]) => FrontMatter['fields']) =>
    end < 0 ? none : { fields: read(head.slice(1, end)), bodyLine: end + 1 };
  if (first === '---') return fenced(until(/^(?:---|\.\.\.)$/), readYamlFields);
  if (first === '+++') return fenced(until(/^\+\+\+$/), readTomlFields);
  if (first === '{') return fenced(until(/^\}$/), readJsonFields);
  const blank = until(/^$/);
  const end = blank < 0 ? head.length : blank;
  if (/^(?:title|date|author|category|tags|slug)\s*:\s+\S/i.test(first)) {
    // Text with a colon in its first line is none.
    const isPair = (line: string) => /^(?:[A-Za-z][\w -]{0,40}\s*:|\s+\S)/.test(line);
    const block = head.slice(0, end);
    return block.every(isPair) && block.some((line) => /^title\s*:/i.test(line))
      ? { fields: readYamlFields(block), bodyLine: end }
      : none;
  }
  return /^% ?\S/.test(first) ? pandocTitle(head.slice(0, end), end) : none;
}

function readJsonFields(inside: readonly string[]): FrontMatter['fields'] {
  try {
    const value: unknown = JSON.parse(`{${inside.join('\n').replace(/,\s*$/, '')}}`);
    return new Map(Object.entries(value ?? {}).map(([key, given]) => [key.toLowerCase(), textsOf(given)]));
  } catch {
    return new Map();
  }
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  const named: unknown =
    typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
  return named === undefined ? [] : textsOf(named);
}

/** `% title`, `% authors`, `% date`; indented lines continue the one before. */
function pandocTitle(head: readonly string[], bodyLine: number): FrontMatter {
  const values: string[] = [];
  let last = 0;
  for (const [at, line] of head.entries()) {
    if (line.startsWith('%') && values.length < 3) values.push(line.slice(1).trim());
    else if (/^\s/.test(line) && values.length > 0) values.push(`${values.pop()}\n${line.trim()}`);
    else break;
    last = at;
  }
  const [title = '', authors = '', date = ''] = values;
  const fields = new Map([
    ['title', [title.replaceAll('\n', ' ')]],
    ['author', authors.split(/[;\n]/).map((name) => name.trim())],
    ['date', [date]],
  ]);
  return { fields, bodyLine: Math.min(bodyLine, last + 1) };
}
