import { ByteView, beforeZero } from '../bytes/index.ts';
import { decodeText, encodingOfCodePage } from '../charsets/index.ts';
import { type ArchiveEntry, DistinctNames, heldBytes } from './archive-entry.ts';
import { type MapiProperties, MapiReader } from './mapi-properties.ts';

/** One attached document. */
export interface TnefAttachment {
  readonly name: string | undefined;
  /** Milliseconds since 1970. */
  readonly modified: number | undefined;
  /** A message within is TNEF itself. */
  readonly bytes: Uint8Array;
}

/** A message or a part of one in Outlook's form (MS-OXTNEF): `winmail.dat`. */
export interface TnefMessage {
  readonly subject: string | undefined;
  readonly from: string | undefined;
  readonly fromAddress: string | undefined;
  readonly to: string | undefined;
  readonly cc: string | undefined;
  /** Milliseconds since 1970. */
  readonly sent: number | undefined;
  readonly messageId: string | undefined;
  readonly messageClass: string | undefined;
  readonly keywords: readonly string[];
  /** Plain text, HTML and compressed RTF, as far as each is there. */
  readonly text: string | undefined;
  readonly html: Uint8Array | undefined;
  readonly rtf: Uint8Array | undefined;
  /** Charset of texts that are not Unicode, where known. */
  readonly charset: string | undefined;
  readonly attachments: readonly TnefAttachment[];
  /** Whether it breaks off. */
  readonly cut: boolean;
}

const signature = 0x223e9f78;
const maxAttributes = 100_000;
const maxAttachments = 10_000;
const attachmentLevel = 2;

const Attribute = {
  subject: 0x8004,
  dateSent: 0x8005,
  messageClass: 0x8008,
  messageId: 0x8009,
  body: 0x800c,
  from: 0x8000,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachModified: 0x8013,
  properties: 0x9003,
  attachProperties: 0x9005,
  renderData: 0x9002,
  codePage: 0x9007,
} as const;

/** Whether bytes begin as TNEF does. */
function isTnef(bytes: Uint8Array): boolean {
  return bytes.length >= 6 && new ByteView(bytes, true).u32(0) === signature;
}

interface OpenAttachment {
  name?: string;
  modified?: number;
  bytes?: Uint8Array;
  properties?: MapiProperties;
}

/** Read a TNEF stream, as far as it is whole. @throws RangeError for other bytes */
export function readTnef(bytes: Uint8Array): TnefMessage {
  if (!isTnef(bytes)) throw new RangeError('not TNEF');
  const view = new ByteView(bytes, true);
  const own = new Map<number, ByteView>();
  const attachments: OpenAttachment[] = [];
  let charset: string | undefined;
  let properties: MapiProperties | undefined;
  let cut = false;
  let at = 6;
  for (let count = 0; at < view.length; count++) {
    if (count >= maxAttributes || at + 9 > view.length) {
      cut = true;
      break;
    }
    const level = view.u8(at);
    const id = view.u16(at + 1);
    const length = view.u32(at + 5);
    const data = view.part(at + 9, at + 9 + length);
    cut ||= data.length < length;
    at += 9 + length + 2;
    if (id === Attribute.codePage && data.length >= 4) charset = charsetOf(data.u32(0)) ?? charset;
    if (level !== attachmentLevel) {
      if (id === Attribute.properties) properties = new MapiReader(data, charset).read();
      else if (!own.has(id)) own.set(id, data);
      continue;
    }
    if (id === Attribute.renderData && attachments.length < maxAttachments) attachments.push({});
    const open = attachments.at(-1) ?? {};
    if (attachments.length === 0) attachments.push(open);
    if (id === Attribute.attachTitle) open.name = beforeZero(decodeText(data.bytes, charset));
    else if (id === Attribute.attachData) open.bytes = data.bytes;
    else if (id === Attribute.attachModified) open.modified = dateOf(data) ?? 0;
    else if (id === Attribute.attachProperties) open.properties = new MapiReader(data, charset).read();
  }
  const text = (part: Uint8Array | undefined) =>
    (part && beforeZero(decodeText(part, charset)).trim()) || undefined;
  const written = (id: number) => text(own.get(id)?.bytes);
  const sent = own.get(Attribute.dateSent);
  return {
    subject: properties?.text('subject') ?? written(Attribute.subject),
    from: properties?.text('senderName') ?? text(senderOf(own.get(Attribute.from))),
    fromAddress: properties?.text('senderAddress'),
    to: properties?.text('to'),
    cc: properties?.text('cc'),
    sent: properties?.time('sent') ?? (sent === undefined ? undefined : dateOf(sent)),
    messageId: properties?.text('messageId'),
    messageClass: properties?.text('messageClass') ?? written(Attribute.messageClass),
    keywords: properties?.keywords ?? [],
    text: properties?.text('body') ?? written(Attribute.body),
    html: properties?.bytes('html'),
    rtf: properties?.bytes('rtf'),
    charset: properties?.codePage === undefined ? charset : charsetOf(properties.codePage),
    attachments: attachments.flatMap((open) => attachmentOf(open) ?? []),
    cut: cut || properties?.cut === true,
  };
}

function attachmentOf({ name, modified, bytes, properties }: OpenAttachment): TnefAttachment | undefined {
  const content = bytes !== undefined && bytes.length > 0 ? bytes : properties?.object('data');
  if (content === undefined) return undefined;
  return {
    name:
      properties?.text('longName') ??
      properties?.text('shortName') ??
      (name || properties?.text('displayName')),
    modified: properties?.time('modified') ?? (modified || undefined),
    bytes: content,
  };
}

/** The attachments in TNEF; a message attached is TNEF too. @throws RangeError for other bytes */
export function* tnefEntries(bytes: Uint8Array): Generator<ArchiveEntry> {
  const names = new DistinctNames();
  const { attachments } = readTnef(bytes);
  for (const [at, { name, modified, bytes: content }] of attachments.entries()) {
    const ending = isTnef(content) ? '.tnef' : '';
    const shown = name?.split(/[/\\]/).at(-1)?.trim() || `part-${at + 1}`;
    yield {
      name: names.of(shown.endsWith(ending) ? shown : shown + ending),
      size: content.length,
      ...(modified !== undefined && { modified: Math.floor(modified / 1000) }),
      read: heldBytes(content),
    };
  }
}

/** A date in seven numbers: year, month, day, hour, minute, second and day of the week. */
function dateOf(data: ByteView): number | undefined {
  if (data.length < 12) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = [0, 2, 4, 6, 8, 10].map((at) =>
    data.u16(at),
  );
  if (year < 1970 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The name in a structure with two lengths before it (TRP). */
function senderOf(data: ByteView | undefined): Uint8Array | undefined {
  if (data === undefined || data.length < 16) return undefined;
  return data.slice(8, 8 + data.u16(4));
}

/** The charset of a Windows code page; undefined for 0, which names none. */
function charsetOf(page: number): string | undefined {
  return page === 0 ? undefined : encodingOfCodePage(page);
}
