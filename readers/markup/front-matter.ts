import { beginning } from '../text/index.ts';

/** The fields at the head of a Markdown file, by lower-case key, and the line the body begins on. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly bodyLine: number;
}

const maxLines = 500;
const maxValues = 64;
const maxValueLength = 8 * 1024;

/** Read front matter, a subset of YAML: `key: value`, `[a, b]` and `- item`; other lines are skipped. */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const none: FrontMatter = { fields: new Map(), bodyLine: 0 };
  if (lines[0]?.trimEnd() !== '---') return none;
  const fields = new Map<string, string[]>();
  let list: string[] | undefined;
  for (let at = 1; at < Math.min(lines.length, maxLines); at++) {
    const line = beginning(lines[at] ?? '', maxValueLength);
    if (/^(?:---|\.\.\.)\s*$/.test(line)) return { fields, bodyLine: at + 1 };
    const item = /^\s*-\s+(.*)$/.exec(line);
    if (item !== null) {
      if (list !== undefined && list.length < maxValues) list.push(scalar(item[1] ?? ''));
      continue;
    }
    const pair = /^([A-Za-z][\w-]{0,63})\s*:(?:\s(.*))?$/.exec(line);
    if (pair === null) continue;
    list = valuesOf((pair[2] ?? '').trim());
    const key = (pair[1] ?? '').toLowerCase();
    if (!fields.has(key)) fields.set(key, list);
  }
  // Never closed: it was a rule and text.
  return none;
}

function valuesOf(written: string): string[] {
  if (written === '' || /^[|>&*!{][\w+-]*$/.test(written)) return [];
  if (written.startsWith('[') && written.endsWith(']'))
    return written.slice(1, -1).split(',', maxValues).map(scalar).filter(Boolean);
  return [scalar(written)];
}

function scalar(written: string): string {
  const text = written.trim();
  const quote = text.charAt(0);
  const quoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  if (quoted && quote === '"') return text.slice(1, -1).replace(/\\(["\\])/g, '$1');
  if (quoted) return text.slice(1, -1).replaceAll("''", "'");
  const comment = text.indexOf(' #');
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}
