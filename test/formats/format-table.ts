import { formats } from './formats.ts';
import { vocabularies } from './vocabularies.ts';

/** The rows of the table in their order. */
export const formatRows = [...formats, ...vocabularies];

/** Formats and vocabularies with a document that Garner did not make, and what its summary says. */
export function formatTable(): string[] {
  const cell = (text: string) =>
    text
      .replaceAll('|', '\\|')
      .replaceAll('\n', ' / ')
      .replace(/(?<!`)</g, '\\<');
  const values = (attributes: Readonly<Record<string, string>>) =>
    Object.entries(attributes).map(([name, value]) => `${name}: ${cell(value)}`);
  return [
    '',
    '## Formats and vocabularies by example',
    '',
    'Each row is a document that another program made, and the attributes of its summary that a test compares. Lines of a',
    'value are divided by ` / ` here. A JSON-LD page has graphs in which things refer to each other.',
    '',
    '| Format or vocabulary | Origin | Attributes |',
    '|---|---|---|',
    ...formatRows.map(
      ({ format, made, attributes }) => `| ${cell(format)} | ${made} | ${values(attributes).join('<br>')} |`,
    ),
  ];
}
