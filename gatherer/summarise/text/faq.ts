import type { AttributeNote, Field } from '../../../readers/document/index.ts';
import {
  blocksOf,
  eachOf,
  fact,
  isHeadingLine,
  isProse,
  isRule,
  oneLine,
  type PlainBlock,
  plainLines,
  readHeaderFields,
  StructuredText,
  underlined,
} from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of the summary of a list of frequently asked questions. */
export const faqAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'The subject of its header, else its first heading' },
  { name: 'Author', what: 'Its maintainer or sender' },
  { name: 'Archive-Name', what: 'Its name in the archive of news.answers' },
  { name: 'Version', what: 'Its version' },
  { name: 'Date', what: 'Date of the last change, as written' },
  { name: 'Posting-Frequency', what: 'Frequency of posting' },
  { name: 'Newsgroups', what: 'The newsgroups it is posted to' },
  { name: 'Questions', what: 'Number of answered questions' },
  { name: 'Headings', what: 'The questions and the headings of sections' },
];

const maxQuestion = 300;

/** FAQs: questions as headings, and the header of a posting to news.answers. */
export const summariseFaq: SyncSummariser = (document, options) => {
  const text = new StructuredText(options);
  const lines = plainLines(document);
  const header = new Map<string, readonly string[]>();
  let from = 0;
  // A posting's own header, then the auxiliary header that news.answers requires.
  for (let part = 0; part < 2; part++) {
    while ((lines[from] ?? 'x').trim() === '') from++;
    const { fields, end } = readHeaderFields(lines, from);
    if (fields.size < 2) break;
    for (const [name, values] of fields) if (!header.has(name)) header.set(name, values);
    from = end;
  }
  const value = (...names: string[]) => names.map((name) => header.get(name)?.[0]).find(Boolean);
  const reader = new FaqReader(text);
  for (const block of blocksOf(lines, from)) reader.block(block);
  text.title = value('subject', 'title') ?? reader.title;
  const fields: Field[] = [
    ...eachOf('Author', header.get('maintainer') ?? header.get('author') ?? header.get('from') ?? []),
    fact('Archive-Name', value('archive-name')),
    fact('Version', value('version')),
    fact('Date', value('last-modified', 'last-updated', 'date')),
    fact('Posting-Frequency', value('posting-frequency')),
    fact('Newsgroups', value('newsgroups')),
    ['Questions', reader.questions === 0 ? '' : String(reader.questions)],
  ];
  return text.extract(document, fields);
};

const label =
  /^\s*(?:Q(?:uestion)?\s*[-.:)\d]*[:.)]|Subject:|\[?\(?\d{1,3}(?:[.-]\d{1,3}){0,3}[a-z]?[\]).:]*|[-*o•]|[A-Z][.)])\s+/;

class FaqReader {
  title: string | undefined;
  questions = 0;
  readonly #text: StructuredText;
  readonly #seen = new Set<string>();

  constructor(text: StructuredText) {
    this.#text = text;
  }

  block({ lines }: PlainBlock): void {
    const start = lines.findIndex((line) => !isRule(line));
    const rest = start < 0 ? [] : lines.slice(start);
    const [first = '', second] = rest;
    if (underlined(first, second)) {
      this.#heading(first);
      rest.splice(0, 2);
    } else {
      let question = questionAt(rest);
      if (question === undefined && rest.length === 1 && isHeadingLine(first)) {
        this.#heading(first);
        rest.shift();
      }
      // A table of contents lists one question after the other.
      for (; question !== undefined; question = questionAt(rest)) {
        this.#question(question.text);
        rest.splice(0, question.lines);
        if (!label.test((rest[0] ?? '').slice(0, maxQuestion))) break;
      }
    }
    if (rest.length === 0) return;
    const body = rest.join('\n');
    this.title ??= rest.find((line) => /\p{L}/u.test(line))?.slice(0, 200);
    if (isProse(rest)) this.#text.paragraph(body);
    else this.#text.lines(body);
  }

  #heading(line: string): void {
    this.title ??= oneLine(line);
    if (line.trim().endsWith('?')) this.#question(line);
    else this.#text.heading(line);
  }

  /** A question of the contents is repeated above its answer; it is one heading. */
  #question(words: string): void {
    const question = oneLine(words.replace(label, '').replace(label, ''));
    if (this.#seen.has(question)) {
      this.#text.lines(question);
      return;
    }
    if (this.#seen.size < 10_000) this.#seen.add(question);
    this.questions++;
    this.#text.heading(question);
  }
}

/** The question that a block begins with: a labelled line or two, or one sentence alone, that ends with its mark. */
function questionAt(lines: readonly string[]): { readonly text: string; readonly lines: number } | undefined {
  let text = '';
  const labelled = label.test((lines[0] ?? '').slice(0, maxQuestion));
  for (let at = 0; at < Math.min(lines.length, 4); at++) {
    if (at > 0 && label.test((lines[at] ?? '').slice(0, maxQuestion))) return undefined;
    text += `${at === 0 ? '' : ' '}${(lines[at] ?? '').slice(0, maxQuestion + 1)}`;
    if (text.length > maxQuestion) return undefined;
    if (/\?["')\]]?\s*$/.test(text)) {
      const whole = labelled || at === lines.length - 1;
      return whole && /^[^\p{L}]*[\p{Lu}\p{Lo}]/u.test(text.replace(label, ''))
        ? { text, lines: at + 1 }
        : undefined;
    }
  }
  return undefined;
}
