import { gunzipSync } from 'node:zlib';
import { ByteView } from '../../../readers/bytes/index.ts';
import type { AttributeNote, Field, RecognisedDocument } from '../../../readers/document/index.ts';
import {
  exifFields,
  heifBrand,
  type ImageFacts,
  imageFields,
  readBmp,
  readGif,
  readIcon,
  readImageBoxes,
  readJpeg,
  readJpegXl,
  readPng,
  readPnm,
  readPsd,
  readSvg,
  readTiff,
  readWebp,
  readXbm,
  readXcf,
  readXpm,
  tiffOrder,
  xmpFields,
} from '../../../readers/images/index.ts';
import {
  declaredCharset,
  decodeText,
  extractOf,
  keptLines,
  ReferenceCollector,
  TextBlocks,
} from '../../../readers/text/index.ts';
import type { Summariser } from '../summariser.ts';

/** Attributes of summaries of pictures. */
export const imageAttributes: readonly AttributeNote[] = [
  {
    name: 'Format',
    what: 'PNG, JPEG, GIF, WebP, AVIF, HEIC, JPEG XL, JPEG 2000, TIFF, BMP, icon, PNM, XBM, XPM, Photoshop, XCF or SVG',
  },
  { name: 'Dimensions', what: 'Width and height in pixels, as 640x480' },
  { name: 'Width', what: 'Width in pixels' },
  { name: 'Height', what: 'Height in pixels' },
  { name: 'Bit-Depth', what: 'Bits of one sample' },
  { name: 'Color', what: 'Colour model: RGB, greyscale, palette, YCbCr, CMYK, with alpha where it has that' },
  { name: 'Compression', what: 'Compression of the pixels, if the format has several methods' },
  {
    name: 'Frames',
    what: 'Pictures of an animation, pages of a TIFF or sizes of an icon, when more than one',
  },
  { name: 'Layers', what: 'Names of the layers of an XCF, one per line' },
  { name: 'Headline', what: 'Headline (IPTC, XMP)' },
  { name: 'Description', what: 'Caption or description (XMP, IPTC, EXIF, PNG text, SVG desc)' },
  { name: 'Keywords', what: 'Subjects (XMP, IPTC), joined by commas' },
  { name: 'Author', what: 'Photographer or artist' },
  { name: 'Credit', what: 'Credit line' },
  { name: 'Publisher', what: 'Publisher (XMP)' },
  { name: 'Source', what: 'Its source, or the device that made it' },
  { name: 'Copyright', what: 'Copyright notice' },
  { name: 'License', what: 'Address of the licence (XMP)' },
  { name: 'Language', what: 'Language (XMP)' },
  { name: 'Date', what: 'Date of the picture, as written in the file' },
  { name: 'Camera', what: 'Maker and model (EXIF)' },
  { name: 'Lens', what: 'Lens (EXIF)' },
  { name: 'Exposure', what: 'Exposure time, aperture, sensitivity, focal length (EXIF)' },
  { name: 'Orientation', what: 'Rotation of the picture for display (EXIF)' },
  { name: 'Coordinates', what: 'Latitude and longitude in degrees (EXIF)' },
  { name: 'Location', what: 'Place shown (XMP)' },
  { name: 'City', what: 'City shown (IPTC, XMP)' },
  { name: 'Country', what: 'Country shown (IPTC, XMP)' },
  { name: 'Software', what: 'Program that made it' },
  { name: 'Page-Name', what: 'Name of the first page (TIFF)' },
  { name: 'Comment', what: 'Comments of GIF, JPEG, PNM and XPM and other text of PNG; several are numbered' },
  { name: 'Elements', what: 'Number of elements (SVG)' },
  { name: 'Full-Text', what: 'Title, description, comments and, of SVG, all its text' },
];

const maxUnpacked = 64 * 1024 * 1024;
/** Metadata is near the beginning; the library gets no later bytes. */
const maxMetadata = 16 * 1024 * 1024;

interface Picture {
  readonly facts: ImageFacts;
  readonly xmp?: string;
  readonly texts?: readonly string[];
  readonly links?: readonly string[];
  /** Whether EXIF and IPTC may be in it. */
  readonly exif: boolean;
}

/** Pictures: their size and kind from the header, EXIF, IPTC and XMP, comments, and the text of drawings. */
export const summariseImage: Summariser = async (document, options) => {
  const { facts, texts, links, exif, ...picture } = readPicture(document);
  const xmp = picture.xmp ?? (links === undefined ? xmpPacket(document.bytes) : undefined);
  // XMP is the newest record; IPTC and EXIF fill missing fields, then the format's own fields.
  const values = new Map<string, string>();
  const sources: (readonly Field[])[] = [
    xmp === undefined ? [] : xmpFields(xmp),
    exif ? await exifFields(document.bytes.subarray(0, maxMetadata)) : [],
    facts.fields ?? [],
  ];
  for (const [name, value] of sources.flat()) if (value !== '' && !values.has(name)) values.set(name, value);
  const title = values.get('Title') ?? facts.title;
  values.delete('Title');
  const fields = imageFields({ ...facts, fields: [...values] });
  const blocks = new TextBlocks(options);
  const shown = [
    title,
    values.get('Headline'),
    values.get('Description'),
    ...(facts.comments ?? []),
    ...(texts ?? []),
  ];
  for (const text of new Set(shown))
    if (text !== undefined && blocks.open) blocks.add(keptLines(text), 'paragraph');
  const references = new ReferenceCollector();
  for (const link of links ?? []) references.add(link, true);
  const notes = facts.notes ?? [];
  return extractOf({ title, fields, blocks, references: references.resolve(document.url), notes });
};

function readPicture(document: RecognisedDocument): Picture {
  const { bytes } = document;
  const file = new ByteView(bytes);
  const start = file.latin1(0, 16);
  if (start.startsWith('\x89PNG')) return { ...readPng(file), exif: true };
  if (start.startsWith('\xff\xd8')) return { ...readJpeg(file), exif: true };
  if (start.startsWith('GIF8')) return { facts: readGif(file), exif: false };
  if (start.startsWith('RIFF') && start.startsWith('WEBP', 8)) return { ...readWebp(bytes), exif: true };
  if (tiffOrder(bytes) !== undefined) return { ...readTiff(bytes), exif: true };
  const brand = heifBrand(bytes);
  if (brand !== undefined) return { facts: readImageBoxes(bytes, brand), exif: true };
  if (start.startsWith('\0\0\0\x0cjP  ')) return { facts: readImageBoxes(bytes, 'JPEG 2000'), exif: false };
  if (start.startsWith('\xff\x0a') || start.startsWith('\0\0\0\x0cJXL '))
    return { facts: readJpegXl(bytes), exif: false };
  if (start.startsWith('BM')) return { facts: readBmp(bytes), exif: false };
  if (start.startsWith('\0\0\x01\0') || start.startsWith('\0\0\x02\0'))
    return { facts: readIcon(bytes), exif: false };
  if (start.startsWith('8BPS')) return { facts: readPsd(bytes), exif: false };
  if (start.startsWith('gimp xcf ')) return { facts: readXcf(bytes), exif: false };
  if (/^P[1-7]\s/.test(start)) return { facts: readPnm(bytes), exif: false };
  if (/^\/\* XPM \*\//.test(start)) return { facts: readXpm(bytes), exif: false };
  if (start.startsWith('\x1f\x8b'))
    return drawing(gunzipSync(bytes, { maxOutputLength: maxUnpacked }), document.charset);
  const bitmap = readXbm(bytes);
  return bitmap === undefined ? drawing(bytes, document.charset) : { facts: bitmap, exif: false };
}

/** The XMP packet, found anywhere by its marks, as the standard allows. */
function xmpPacket(bytes: Uint8Array): string | undefined {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, maxMetadata));
  const start = all.indexOf('<x:xmpmeta');
  const end = start < 0 ? -1 : all.indexOf('</x:xmpmeta>', start);
  return end < 0 ? undefined : all.toString('utf8', start, end);
}

function drawing(bytes: Uint8Array, charset: string | undefined): Picture {
  const text = decodeText(bytes, charset, declaredCharset(bytes));
  if (!/<(?:\w{1,20}:)?svg[\s>]/.test(text.slice(0, 256 * 1024))) throw new RangeError('not a picture');
  return { ...readSvg(text), exif: false };
}
