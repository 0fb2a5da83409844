import type { Summariser } from '../summariser.ts';
import type { TypeName } from '../type-names.ts';
import { summariseHtml } from './html.ts';
import { summariseMarkdown } from './markdown.ts';
import { summariseAllWords, summariseText } from './text.ts';

const table: Readonly<Partial<Record<TypeName, Summariser>>> = {
  FAQ: summariseAllWords,
  FYI: summariseText,
  FormattedText: summariseText,
  FullText: summariseAllWords,
  HTML: summariseHtml,
  'Internet-Draft': summariseText,
  Markdown: summariseMarkdown,
  README: summariseAllWords,
  RFC: summariseText,
  Text: summariseText,
};

/** Who summarises which type. A type that is absent gets the plain summary: name, size, date, type. */
export const summarisersByType: ReadonlyMap<string, Summariser> = new Map(Object.entries(table));
