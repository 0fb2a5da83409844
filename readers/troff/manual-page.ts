import type { Extract, Field, RecognisedDocument } from '../document/index.ts';
import { beginning, eachOf, fact, joined, oneLine, ProseBuffer, type StructuredText } from '../text/index.ts';

type Role = 'name' | 'synopsis' | 'author' | 'see-also' | 'options';

// The conventional sections as manual pages of Debian's languages head them.
const sectionRoles: readonly (readonly [Role, RegExp])[] = [
  [
    'name',
    /^(?:NAME|NOM|NOMBRE|NOME|BEZEICHNUNG|NAZWA|NAAM|NAMN|NAVN|NUME|NÉV|НАЗВАНИЕ|НАЗВА|ИМЯ|名前|名称|이름)/i,
  ],
  [
    'synopsis',
    /^(?:SYNOPSIS|SINOPSIS|ÜBERSICHT|SKŁADNIA|SINOSSI|SAMENVATTING|СИНТАКСИС|СИНОПСИС|書式|概要|概述)/i,
  ],
  ['author', /^(?:AUTHORS?|AUTEURS?|AUTOR(?:EN|ES|I|ZY)?|AUTOR|АВТОРЫ?|著者|作者)/i],
  [
    'see-also',
    /^(?:SEE ALSO|VOIR AUSSI|SIEHE AUCH|VÉASE|VEA TAMBIÉN|ZOBACZ|VEDERE ANCHE|ZIE OOK|СМОТРИТЕ|СМ\.|関連項目|参见)/i,
  ],
  ['options', /\b(?:OPTIONS|OPTIONEN|OPCIONES|OPZIONI|OPCJE|OPCIONS)\b/i],
];

const maxFieldLength = 8 * 1024;
const maxNames = 200;
const bySoftware = /^generated automatically by\b/i;
const reference = /([A-Za-z_][\w.+:@-]{0,99})\s?\((\d\w{0,9}|n|l)\)/g;

/** The facts of a manual page in any macro package. */
export class ManualPage {
  readonly text: StructuredText;
  readonly prose: ProseBuffer;
  name: string | undefined;
  section: string | undefined;
  date: string | undefined;
  source: string | undefined;
  description: string | undefined;
  readonly names = new Set<string>();
  readonly authors = new Set<string>();
  /** Whether macros mark the authors, so that sentences need not be read for them. */
  authorsMarked = false;
  readonly seeAlso = new Set<string>();
  readonly #tags = new Set<string>();
  #synopsis = '';
  #role: Role | undefined;
  #sections = 0;

  constructor(text: StructuredText) {
    this.text = text;
    this.prose = new ProseBuffer(text);
    this.prose.listener = (block) => this.#heard(block);
  }

  /** Which conventional section the page is in. */
  get role(): Role | undefined {
    return this.#role;
  }

  heading(title: string): void {
    this.prose.end();
    this.prose.fill(true);
    const line = oneLine(title);
    this.#sections++;
    this.#role = sectionRoles.find(([, pattern]) => pattern.test(line))?.[0];
    // The first section is NAME in every language.
    if (this.#sections === 1) this.#role ??= 'name';
    this.text.heading(line);
  }

  subheading(title: string): void {
    this.prose.end();
    this.text.heading(title);
  }

  /** The words that a list item explains, such as an option. */
  tag(words: string): void {
    const line = oneLine(words);
    if (/[\p{L}\p{N}]/u.test(line) && line.length <= 200 && this.#tags.size < maxNames * 5)
      this.#tags.add(line);
    if (this.#role === 'author' && line !== '') this.#heard(line);
  }

  #heard(block: string): void {
    if (this.#role === 'name') this.#nameSection(oneLine(beginning(block, maxFieldLength)));
    else if (this.#role === 'synopsis' && this.#synopsis.length < maxFieldLength)
      this.#synopsis += (this.#synopsis === '' ? '' : '\n') + (this.prose.filled ? oneLine(block) : block);
    else if (this.#role === 'see-also') this.#references(block);
    else if (this.#role === 'author' && !this.authorsMarked && this.authors.size < 64)
      for (const author of authorsIn(oneLine(beginning(block, 2000)))) this.authors.add(author);
  }

  /** `name, other - purpose`, the form of whatis(1) and every page. */
  #nameSection(line: string): void {
    if (this.description !== undefined) return;
    const parts = /^(.{1,2000}?)\s+(?:-{1,2}|[\u2010-\u2015\u2212])\s+(.*)$/.exec(line);
    if (parts === null) {
      for (const name of namesIn(line)) this.#named(name);
      return;
    }
    for (const name of namesIn(parts[1] ?? '')) this.#named(name);
    this.description = parts[2];
  }

  #named(name: string): void {
    if (name !== '' && name.length <= 200 && this.names.size < maxNames) this.names.add(name);
  }

  #references(block: string): void {
    for (const [, name = '', section = ''] of beginning(block, 64 * 1024).matchAll(reference))
      if (this.seeAlso.size < maxNames) this.seeAlso.add(`${name}(${section})`);
  }

  extract(document: RecognisedDocument): Extract {
    this.prose.end();
    const called = this.names.values().next().value ?? this.name;
    const label =
      called === undefined ? undefined : this.section === undefined ? called : `${called}(${this.section})`;
    if (label !== undefined)
      this.text.title = this.description === undefined ? label : `${label} - ${this.description}`;
    const synopsis = beginning(this.#synopsis, maxFieldLength)
      .split('\n')
      .map((line) => oneLine(line))
      .filter(Boolean)
      .join('\n');
    const fields: Field[] = [
      fact('Description', this.description),
      joined('Keywords', this.names),
      fact('Section', this.section),
      ['Synopsis', synopsis],
      ['Options', [...this.#tags].join('\n')],
      ...eachOf('Author', this.authors),
      fact('Date', this.date),
      fact('Source', this.source),
      joined('See-Also', this.seeAlso),
    ];
    return this.text.extract(document, fields);
  }
}

/** Names between commas; a comma inside angle brackets belongs to the name of a template. */
function namesIn(line: string): string[] {
  const names: string[] = [];
  let open = '';
  for (const piece of line.split(/,\s*/)) {
    const name = open === '' ? piece : `${open}, ${piece}`;
    const isOpen = name.split('<').length > name.split('>').length;
    if (!isOpen) names.push(name);
    open = isOpen ? name : '';
  }
  return open === '' ? names : line.split(/,\s*/);
}

const by = /\b(?:written|created|developed|maintained|contributed|page)\b[^.]{0,80}?\bby[\s:]+(.{1,1000})/is;

/** Names in a sentence such as `Written by A. B, C. D and E. F.`, or a line that is short enough to be a name. */
function authorsIn(sentence: string): string[] {
  const named = by.exec(sentence)?.[1];
  if ((named === undefined && sentence.length > 100) || bySoftware.test(sentence)) return [];
  const list = named ?? sentence;
  const stop = /[\p{Ll}>)]{2}\.(?=\s|$)/u.exec(list);
  return (stop === null ? list : list.slice(0, stop.index + 2))
    .split(/(?:,\s*(?:and\s+)?|\s+and\s+)(?![^()]*\))/, 32)
    .map((name) => name.trim())
    .filter((name) => /\p{L}/u.test(name) && name.length <= 100);
}
