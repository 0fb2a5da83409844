import type { Block, Extract, Field, SummariseOptions } from '../../../readers/document/index.ts';
import { beginning, joined, oneLine } from '../../../readers/text/index.ts';
import { condense, weigh } from '../../condense/index.ts';

const maxNamed = 64;
const maxFound = 12;
const maxPhrases = 6;
// A README begins with its subject.
const maxText = 64 * 1024;

const keywordsLine = /^[^\w\n]{0,4}(?:key[ -]?words?|tags)[^\w\n]{0,4}:[^\w\n]{0,4}(\S.{1,500})$/im;

// Three letters, or two of a script with short words.
const long = /\p{L}{3}|(?![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}])\p{L}{2}/u;
const empty = /^(?:read\W?me|https?|www)$/i;

/**
 * An extract of a README with its keywords before its headings: its own, those of a `Keywords:` or `Tags:` line of its
 * `start`, or the best few phrases and words of its text. If the level of the summary chooses words itself, only
 * keywords that the README names are added.
 */
export function withKeywords(extract: Extract, start: string, { text }: SummariseOptions): Extract {
  if (extract.fields.some(([name, value]) => name === 'Keywords' && value !== '')) return extract;
  const named = namedKeywords(start);
  const words = named.length > 0 || text === 'terse' || text === 'selected' ? named : found(extract);
  if (words.length === 0) return extract;
  const fields: Field[] = extract.fields.filter(([name]) => name !== 'Keywords');
  const at = fields.findIndex(([name]) => name === 'Headings');
  fields.splice(at < 0 ? fields.length : at, 0, joined('Keywords', words));
  return { ...extract, fields };
}

function namedKeywords(start: string): string[] {
  const line = keywordsLine.exec(start)?.[1] ?? '';
  return line
    .split(/[,;]/, maxNamed)
    .map((word) => oneLine(word).replace(/^[*_`]+|[.*_`]+$/g, ''))
    .filter((word) => word !== '');
}

function found({ title, fields, text }: Extract): string[] {
  const value = (wanted: string) => fields.find(([name]) => name === wanted)?.[1] ?? '';
  const headings = value('Headings').split('\n').filter(Boolean);
  const blocks: Block[] = headings.map((heading) => ({ role: 'heading', text: heading }));
  let left = maxText;
  for (const block of text?.blocks ?? []) {
    if (left <= 0) break;
    blocks.push({ ...block, text: beginning(block.text, left) });
    left -= block.text.length;
  }
  const described: Field[] = [['Description', value('Description')]];
  const { keywords } = condense(
    weigh({ ...(title === undefined ? {} : { title }), fields: described, blocks }),
    'terse',
  );
  const significant = keywords.filter((word) => long.test(word) && !empty.test(word));
  const phrases = significant.filter((word) => word.includes(' ')).slice(0, maxPhrases);
  const single = significant.filter((word) => !word.includes(' '));
  return [...phrases, ...single].slice(0, maxFound);
}
