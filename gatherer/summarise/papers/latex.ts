import { latin1Start } from '../../../readers/bytes/index.ts';
import type {
  AttributeNote,
  Extract,
  RecognisedDocument,
  SummariseOptions,
} from '../../../readers/document/index.ts';
import { LatexReader } from '../../../readers/tex/index.ts';
import { decodeText, eachOf, fact, joined, StructuredText } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

const provides =
  /^[ \t]*\\Provides(?:Package|Class|File|ExplPackage|ExplClass)\s*\{([^{}\n]{1,100})\}\s*(?:\[([^\]]{0,500})\])?/m;

/** Packages and classes of LaTeX: name, description, and comments as text; the rest is code. */
function summariseTexPackage(
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
    fact('Description', parts?.[2] ?? description),
    ...eachOf('Author', authors),
    fact('Date', parts?.[1]),
  ]);
}

/** Words of a line without TeX's marks. */
function plain(line: string): string {
  return line.replace(/\\[A-Za-z@]+\*?|[{}$]|\\./g, ' ');
}

/** Attributes of the summary of a TeX or LaTeX document. */
export const latexAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The title (`\\title`; in plain TeX the first centred line)' },
  { name: 'Author', what: 'The authors, numbered when there are several' },
  { name: 'Institution', what: 'The institutions of the authors' },
  { name: 'Date', what: 'The date, unless it is the date of printing' },
  { name: 'Abstract', what: 'The abstract' },
  { name: 'Keywords', what: 'Keywords, and the entries of the index' },
  { name: 'Document-Class', what: 'The document class' },
  { name: 'Citations', what: 'The keys of the works it cites' },
  {
    name: 'Description',
    what: 'Without an abstract the first paragraph; of a package or class its purpose',
  },
  { name: 'Headings', what: 'The headings of parts, chapters and sections' },
];

/**
 * LaTeX and plain TeX: title, authors, sections, keys of citations, text without mathematics, comments and drawing.
 * Files of `\input` and `\include` are references, and noted as not read. Packages and classes, which are code, are
 * read for their comments.
 */
export const summariseLatex: SyncSummariser = (document, options) => {
  const source = decodeText(document.bytes, document.charset, texCoding(document.bytes)).replace(
    /\r\n?/g,
    '\n',
  );
  if (/\.(?:sty|cls|dtx|ins|ltx|def|fd|clo)$/i.test(document.name))
    return summariseTexPackage(source, document, options);
  const text = new StructuredText(options);
  const reader = new LatexReader(source, text);
  reader.read();
  const { findings } = reader;
  if (findings.inputs > 0)
    text.notes.push(
      `${findings.inputs} other ${findings.inputs === 1 ? 'file' : 'files'} that it includes were not read with it.`,
    );
  return text.extract(document, [
    ...eachOf('Author', findings.authors),
    ...eachOf('Institution', findings.institutions),
    fact('Date', findings.date),
    ['Abstract', findings.abstract],
    fact('Description', findings.abstract === '' ? text.lead : undefined),
    joined('Keywords', [...findings.keywords, ...findings.index]),
    fact('Document-Class', findings.documentClass),
    joined('Citations', findings.citations),
  ]);
};

/** The charset that `\usepackage[latin1]{inputenc}` names. */
function texCoding(bytes: Uint8Array): string | undefined {
  const start = latin1Start(bytes, 8192);
  const name = /\\(?:usepackage|inputencoding)\s*(?:\[([\w-]{1,30})\]\s*)?\{(inputenc|latin\d|utf8)\}/.exec(
    start,
  );
  const coding = name?.[1] ?? (name?.[2] === 'inputenc' ? undefined : name?.[2]);
  const known: ReadonlyMap<string, string> = new Map(
    Object.entries({
      latin9: 'iso-8859-15',
      ansinew: 'windows-1252',
      applemac: 'macintosh',
      utf8x: 'utf-8',
    }),
  );
  return coding === undefined ? undefined : (known.get(coding) ?? coding);
}
