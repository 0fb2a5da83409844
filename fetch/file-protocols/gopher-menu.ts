import type { GopherPlace } from './gopher-urls.ts';

/** One line of a menu: its label, and the place that it names. */
export interface GopherItem extends GopherPlace {
  /** The server's bytes, one character each. */
  readonly label: string;
}

/** The items of a menu. */
export interface GopherMenu {
  readonly items: readonly GopherItem[];
  /** Number of lines that are not items. */
  readonly broken: number;
  /** Whether items beyond the limit were left out. */
  readonly cut: boolean;
  /** Whether its last line was there; many servers leave it out, and so does a broken connection. */
  readonly ended: boolean;
}

// People do not read a menu of more lines.
const maxItems = 100_000;
const maxLine = 4096;

/** Read a menu (RFC 1436 3.4), up to a line of a single dot or the end; Gopher+ fields are ignored. */
export function parseMenu(bytes: Uint8Array): GopherMenu {
  const items: GopherItem[] = [];
  let broken = 0;
  let cut = false;
  let ended = false;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end).replace(/\r$/, '');
    at = end + 1;
    if (line === '.') {
      ended = true;
      break;
    }
    if (line === '') continue;
    if (items.length >= maxItems) {
      cut = true;
      break;
    }
    const item = line.length > maxLine ? undefined : itemOf(line);
    if (item) items.push(item);
    else broken += 1;
  }
  return { items, broken, cut, ended };
}

function itemOf(line: string): GopherItem | undefined {
  const [head = '', selector, hostname, portText] = line.split('\t', 4);
  if (selector === undefined || hostname === undefined || portText === undefined) {
    // Servers write lines for people without the other fields.
    return head.startsWith('i')
      ? { type: 'i', label: head.slice(1), selector: '', hostname: '', port: 0 }
      : undefined;
  }
  const port = /^\s*(\d{1,5})/.exec(portText)?.[1];
  if (port === undefined || Number(port) > 65_535) return undefined;
  return {
    type: head[0] ?? '',
    label: head.slice(1),
    selector,
    hostname: hostname.trim().toLowerCase(),
    port: Number(port),
  };
}

/** A text item (RFC 1436 3.8) without its final dot and doubled dots; many servers just end instead. */
export function unstuffText(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const end = /(?:^|\n)\.\r?\n?$/.exec(text.slice(-4));
  if (!end) return bytes;
  const last = text.lastIndexOf('.');
  return Buffer.from(text.slice(0, last).replace(/(^|\n)\.\./g, '$1.'), 'latin1');
}
