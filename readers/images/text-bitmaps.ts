import { latin1Start } from '../bytes/index.ts';
import type { ImageFacts } from './image-facts.ts';

const searched = 16 * 1024;

/** Read PBM, PGM, PPM or PAM: the header is text; `#` begins a comment. */
export function readPnm(bytes: Uint8Array): ImageFacts {
  const text = latin1Start(bytes, searched);
  const kind = text.charAt(1);
  const comments = [...text.matchAll(/^#[ \t]?([^\r\n]{0,500})/gm)]
    .map(([, comment = '']) => comment)
    .slice(0, 16);
  if (kind === '7') {
    const value = (key: string) =>
      Number(new RegExp(`^${key}\\s+(\\d{1,9})`, 'm').exec(text)?.[1] ?? Number.NaN);
    const type = /^TUPLTYPE\s+(\S{1,40})/m.exec(text)?.[1];
    return {
      format: 'PAM',
      width: value('WIDTH'),
      height: value('HEIGHT'),
      depth: bitsOf(value('MAXVAL')),
      colour: type,
      comments,
    };
  }
  const words = text.replace(/#[^\n]*/g, ' ').split(/\s+/, 4);
  const [, width, height, max] = words.map(Number);
  const formats = ['', 'PBM', 'PGM', 'PPM', 'PBM', 'PGM', 'PPM'];
  const format = formats[Number(kind)] ?? 'PNM';
  return {
    format,
    width,
    height,
    depth: format === 'PBM' ? 1 : bitsOf(max ?? Number.NaN),
    colour: format === 'PPM' ? 'RGB' : format === 'PGM' ? 'greyscale' : 'black and white',
    comments,
  };
}

function bitsOf(max: number): number | undefined {
  return max >= 1 && max <= 65535 ? Math.ceil(Math.log2(max + 1)) : undefined;
}

/** Read an X bitmap: C source that defines its size. */
export function readXbm(bytes: Uint8Array): ImageFacts | undefined {
  const text = latin1Start(bytes, searched);
  const width = /#define[ \t]+(\S{0,200}?)_?width[ \t]+(\d{1,6})/.exec(text);
  const height = /#define[ \t]+\S{0,200}?_?height[ \t]+(\d{1,6})/.exec(text)?.[1];
  if (width === null || height === undefined) return undefined;
  return {
    format: 'XBM',
    title: width[1],
    width: Number(width[2]),
    height: Number(height),
    depth: 1,
    colour: 'black and white',
  };
}

/** Read an X pixmap: C source whose first string holds width, height and number of colours. */
export function readXpm(bytes: Uint8Array): ImageFacts {
  const text = latin1Start(bytes, searched);
  const name = /static\s+(?:const\s+)?char\s*\*\s*(?:const\s+)?(\w{1,200})/.exec(text)?.[1];
  const values = /"\s*(\d{1,6})\s+(\d{1,6})\s+(\d{1,6})\s+\d/.exec(text);
  const comments = [...text.matchAll(/\/\*\s*((?:(?!\*\/)[\s\S]){1,300}?)\s*\*\//g)]
    .map(([, comment = '']) => comment)
    .filter((comment) => !/^(?:XPM|columns|pixels|colou?rs|values|hotspot)\b/i.test(comment))
    .slice(0, 8);
  return {
    format: 'XPM',
    title: name,
    width: values === null ? undefined : Number(values[1]),
    height: values === null ? undefined : Number(values[2]),
    colour: values === null ? 'palette' : `palette of ${values[3]}`,
    comments,
  };
}
