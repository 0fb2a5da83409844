import type { Block, SummariseOptions } from '../../../../readers/document/index.ts';
import { beginning, oneLine } from '../../../../readers/text/index.ts';
import { summariseReadme } from '../../text/readme.ts';

const searched = 64 * 1024;
const maxTitle = 200;
const maxDescription = 1000;
const maxKeywords = 64;
/** Shorter paragraphs are addresses and dates. */
const minWords = 6;

/** Facts in the README of a distribution. */
export interface ReadmeFacts {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly keywords: readonly string[];
}

// Headings about the file, not about the distribution.
const dull =
  /^(?:the )?(?:read\s?me|introduction|overview|about|general information|what is this|(?:table of )?contents|install(?:ation)?)\b/i;

/** The blocks of a README's text, in any markup. */
export function readmeBlocks(source: string, options: SummariseOptions): readonly Block[] {
  return read(source, options).text?.blocks ?? [];
}

/** Facts in the beginning of a README. */
export function readmeFacts(source: string): ReadmeFacts {
  const start = beginning(source, searched);
  const { title, fields, text } = read(start, {
    text: 'selected',
    maxTextBytes: searched,
    maxDocumentBytes: 4 * searched,
  });
  const heading = oneLine(beginning(title ?? '', maxTitle));
  const described = fields.find(([name]) => name === 'Description')?.[1];
  const paragraph = text?.blocks.find(
    (block) =>
      block.role === 'paragraph' &&
      block.text.split(' ', minWords).length === minWords &&
      // Rows of badges are no sentences.
      /^\p{L}.*[.!?:。](?:\s|$)/su.test(block.text) &&
      !/^copyright/i.test(block.text),
  )?.text;
  const keywords = /^\W{0,4}keywords?\W{0,4}:\W{0,4}(.{3,300})$/im.exec(start)?.[1] ?? '';
  return {
    title: heading === '' || dull.test(heading) || !/\p{L}{2}/u.test(heading) ? undefined : heading,
    description: beginning(described || paragraph || '', maxDescription) || undefined,
    keywords: keywords.split(/[,;]/, maxKeywords).map((word) => oneLine(word).replace(/\.$/, '')),
  };
}

function read(source: string, options: SummariseOptions): ReturnType<typeof summariseReadme> {
  const document = { url: '', name: 'README', type: 'README', mediaType: 'text/plain', charset: 'utf-8' };
  return summariseReadme({ ...document, bytes: Buffer.from(source) }, options);
}
