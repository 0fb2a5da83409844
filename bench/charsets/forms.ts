import { crc32 } from 'node:zlib';
import type { DocumentInput } from '../../readers/document/index.ts';

/** A form in which text without a right label is met. */
export interface Form {
  readonly name: string;
  /** Charsets that are not met in this form, or cannot be recognised in it. */
  readonly without: RegExp;
  /** The document of some texts in one charset; `at` chooses among wrong labels. */
  readonly document: (texts: readonly Uint8Array[], charset: string, at: number) => DocumentInput;
}

const input = (name: string, ...parts: readonly (string | Uint8Array)[]): DocumentInput => ({
  url: `http://bench.example/${name}`,
  name,
  bytes: Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))),
});

const page = (label: string | undefined, text: Uint8Array) =>
  input(
    'page.html',
    `<!doctype html><html><head>${label === undefined ? '' : `<meta charset="${label}">`}<title>T</title></head><body><p>`,
    text,
    '</p></body></html>\n',
  );

const only = ([first]: readonly Uint8Array[]) => first ?? new Uint8Array();
const none = /^$/;

/** The forms, in the order of the report. */
export const forms: readonly Form[] = [
  { name: 'plain text', without: none, document: (texts) => input('text.txt', only(texts)) },
  { name: 'HTML without a label', without: none, document: (texts) => page(undefined, only(texts)) },
  {
    name: 'HTML with a wrong label',
    without: none,
    document: (texts, charset, at) => {
      const latin = charset === 'windows-1252' ? 'windows-1251' : 'iso-8859-1';
      return page(at % 2 === 0 ? 'utf-8' : latin, only(texts));
    },
  },
  {
    name: 'mail without a label',
    // The transport of mail ends lines in CR LF, so the mark of an old Macintosh is lost.
    without: /^macintosh$/,
    document: (texts) => input('mail.eml', 'From: a@x.example\r\nSubject: s\r\n\r\n', only(texts), '\r\n'),
  },
  {
    name: 'names in zip',
    without: /^(?:macintosh|iso-2022-jp)$/,
    document: (texts) => input('names.zip', zipOf(texts)),
  },
];

const content = Buffer.from('tide\n');
const dos = 0x21;

/** An archive with members of these names, whose flags say nothing of a charset. */
function zipOf(names: readonly Uint8Array[]): Buffer {
  const members: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const full = Buffer.concat([name, Buffer.from('.txt')]);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(dos, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(full.length, 22);
    const behind = Buffer.alloc(14);
    behind.writeUInt32LE(offset, 10);
    members.push(Buffer.from('PK\x03\x04'), common, full, content);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, behind, full);
    offset += 4 + common.length + full.length + content.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...members, listed, end]);
}
