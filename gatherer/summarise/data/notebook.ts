import type { AttributeNote } from '../../../readers/document/index.ts';
import { type NotebookCell, readNotebook } from '../../../readers/json/index.ts';
import { readFrontMatter } from '../../../readers/markup/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { addMarkdown } from '../text/markdown.ts';

/** Attributes of a notebook's summary. */
export const notebookAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title in its metadata or front matter, else its first heading' },
  { name: 'Author', what: 'Authors in its metadata or front matter; several are numbered' },
  { name: 'Description', what: 'The description of its front matter, else its first paragraph' },
  { name: 'Keywords', what: 'Keywords, tags or categories of its front matter' },
  { name: 'Date', what: 'The date of its front matter' },
  { name: 'Programming-Language', what: 'The language of its code' },
  { name: 'Software', what: 'The kernel that ran it' },
  { name: 'Format', what: 'Jupyter notebook with the version of its format' },
  { name: 'Cells', what: 'Number of cells' },
  { name: 'Headings', what: 'The headings of its Markdown cells' },
  { name: 'URL-References', what: 'The addresses that its Markdown cells link to' },
  { name: 'Full-Text', what: 'Markdown, code and printed results, without pictures' },
];

/** Jupyter notebooks: Markdown cells as Markdown, code and printed results as lines. */
export const summariseNotebook: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  let front: ReadonlyMap<string, readonly string[]> = new Map();
  let heading: string | undefined;
  let cells = 0;
  const add = (cell: NotebookCell) => {
    const first = addCell(cell, text);
    heading ??= first;
  };
  const onCell = (cell: NotebookCell) => {
    // Quarto and nbdev write front matter into the first cell.
    if (cells++ === 0 && cell.kind !== 'code') {
      const lines = cell.source.split(/\r\n?|\n/);
      const { fields, bodyLine } = readFrontMatter(lines);
      front = fields;
      add({ ...cell, source: lines.slice(bodyLine).join('\n') });
    } else add(cell);
  };
  const facts = readNotebook(decodeText(document.bytes, document.charset), onCell);
  if (facts.cells === 0 && facts.version === undefined) throw new SyntaxError('no notebook');
  if (!facts.whole) text.notes.push('The document breaks off or is not JSON to its end.');
  const values = (...keys: string[]) => keys.flatMap((key) => front.get(key) ?? []);
  text.title = facts.title || values('title')[0] || heading;
  return text.extract(document, [
    ...eachOf('Author', facts.authors.length > 0 ? facts.authors : values('author', 'authors')),
    fact('Description', values('description', 'abstract', 'subtitle')[0] ?? text.lead),
    joined('Keywords', values('keywords', 'tags', 'categories')),
    fact('Date', values('date')[0]),
    fact('Programming-Language', facts.language),
    fact('Software', facts.kernel),
    fact('Format', `Jupyter notebook ${facts.version ?? ''}`),
    fact('Cells', facts.cells),
  ]);
};

/** The first heading of the first level in it. */
function addCell({ kind, source, level, outputs }: NotebookCell, text: StructuredText): string | undefined {
  if (kind === 'heading') {
    text.heading(source, level);
    return level === 1 ? source : undefined;
  }
  // Pictures within the file have no address.
  if (kind === 'markdown') return addMarkdown(source.replace(/\]\(attachment:[^)\n]{0,500}\)/g, ']()'), text);
  text.lines(source);
  for (const output of outputs) text.lines(output);
  return undefined;
}
