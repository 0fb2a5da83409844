import type { Extract, RecognisedDocument, SummariseOptions } from '../../../readers/document/index.ts';
import { eachOf, StructuredText, single } from '../../../readers/text/index.ts';

const provides =
  /^[ \t]*\\Provides(?:Package|Class|File|ExplPackage|ExplClass)\s*\{([^{}\n]{1,100})\}\s*(?:\[([^\]]{0,500})\])?/m;

/** Packages and classes of LaTeX: what they provide, and their comments as text; the rest is code. */
export function summariseTexPackage(
  source: string,
  document: RecognisedDocument,
  options: SummariseOptions,
): Extract {
  const text = new StructuredText(options);
  const [, name, description] = provides.exec(source.slice(0, 256 * 1024)) ?? [];
  const authors: string[] = [];
  let block: string[] = [];
  const end = () => {
    const words = block.join('\n');
    block = [];
    if (/[\p{L}]{2}/u.test(words)) text.paragraph(words);
  };
  for (const line of source.split('\n')) {
    const comment = /^%+ ?(.*)$/.exec(line.slice(0, 2000))?.[1];
    if (comment === undefined || !/[\p{L}\p{N}]/u.test(comment)) {
      end();
      continue;
    }
    const section = /^\s*\\(?:sub)*section\*?\{([^{}]{1,300})\}/.exec(comment)?.[1];
    const author = /^\s*(?:\\author\{|Authors?:?\s+|Written by:?\s+)(\p{Lu}[^{}\\]{2,150})/u.exec(
      comment,
    )?.[1];
    const title = /^\s*\\title\{([^{}]{1,300})/.exec(comment)?.[1];
    if (title !== undefined) text.title ??= plain(title);
    if (author !== undefined && authors.length < 32) authors.push(plain(author));
    if (section !== undefined) {
      end();
      text.heading(plain(section));
    } else block.push(plain(comment));
  }
  end();
  text.title ??= name;
  const parts = /^\s*v?(\d{4}[/-]\d\d[/-]\d\d)\s*(.*)$/s.exec(description ?? '');
  return text.extract(document, [
    single('Description', parts?.[2] ?? description),
    ...eachOf('Author', authors),
    single('Date', parts?.[1]),
  ]);
}

/** Words of a line without TeX's marks. */
function plain(line: string): string {
  return line.replace(/\\[A-Za-z@]+\*?|[{}$]|\\./g, ' ');
}
