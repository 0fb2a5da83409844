import { createHash } from 'node:crypto';
import { Attributes, attributeTexts, type SummaryObject } from '../../../soif/index.ts';
import { hostsKey, linkKey, linksKey, pageKey } from '../index-database/index-keys.ts';
import type { PostingDatabase, PostingWrite } from '../index-database/posting-database.ts';

// Max lines of links read of one object, and max links to other hosts that count.
const maxLines = 2000;
const maxLinks = 64;
const keysReadAtOnce = 4096;

/** Bytes of the hash that identifies a page or a host. */
const markLength = 8;

const mark = (text: string) => createHash('sha256').update(text).digest().toString('latin1', 0, markLength);
const bytesOf = (marks: string) => Buffer.from(marks, 'latin1');

/** A page and its host, as hashes. */
interface Place {
  readonly page: string;
  readonly host: string;
}

/** URLs that differ in scheme or fragment are the same page. */
function placeOf(url: string): Place | undefined {
  const found = /^[a-z][a-z0-9+.-]{0,15}:\/\/([^/?#]{1,255})([^#]{0,2000})/i.exec(url);
  if (found === null) return undefined;
  const [, host = '', rest = ''] = found;
  const name = host.toLowerCase();
  return { page: mark(name + (rest || '/')), host: mark(name) };
}

/** The pages of other hosts to which an object links, each once. */
function linkedPages(object: SummaryObject, host: string): readonly string[] {
  const pages = new Set<string>();
  let lines = 0;
  for (const text of attributeTexts(object, Attributes.urlReferences))
    for (const [line] of text.matchAll(/[^\n]+/g)) {
      if (lines++ >= maxLines || pages.size >= maxLinks) return [...pages];
      const place = placeOf(line.trim());
      if (place !== undefined && place.host !== host) pages.add(place.page);
    }
  return [...pages];
}

/** The writes that count the hosts linking to each page, for new docnos and for those that died. */
export async function linkWrites(
  database: PostingDatabase,
  added: readonly (readonly [docno: number, object: SummaryObject])[],
  dead: readonly number[],
): Promise<PostingWrite[]> {
  const writes: PostingWrite[] = [];
  /** The change in the number of a host's objects that link to a page, by the marks of page and host. */
  const changes = new Map<string, number>();
  const change = (host: string, pages: readonly string[], by: number) => {
    for (const page of pages) changes.set(page + host, (changes.get(page + host) ?? 0) + by);
  };
  for (const [index, row] of (await readAll(database, dead.map(linksKey))).entries()) {
    const docno = dead[index] as number;
    writes.push({ type: 'del', key: pageKey(docno) });
    if (row === undefined) continue;
    const [host = '', ...pages] = marksOf(row);
    change(host, pages, -1);
    writes.push({ type: 'del', key: linksKey(docno) });
  }
  for (const [docno, object] of added) {
    const own = placeOf(object.url);
    if (own === undefined) continue;
    writes.push({ type: 'put', key: pageKey(docno), value: bytesOf(own.page) });
    const pages = linkedPages(object, own.host);
    if (pages.length === 0) continue;
    change(own.host, pages, 1);
    writes.push({ type: 'put', key: linksKey(docno), value: bytesOf([own.host, ...pages].join('')) });
  }
  const changed = [...changes].filter(([, by]) => by !== 0);
  const links = await counted(
    database,
    changed.map(([link, by]) => [linkKey(bytesOf(link)), by]),
  );
  const hosts = new Map<string, number>();
  for (const [index, { before, after }] of links.counts.entries()) {
    const by = Number(after > 0) - Number(before > 0);
    const page = (changed[index] as [string, number])[0].slice(0, markLength);
    if (by !== 0) hosts.set(page, (hosts.get(page) ?? 0) + by);
  }
  const pages = await counted(
    database,
    Array.from(hosts, ([page, by]) => [hostsKey(bytesOf(page)), by]),
  );
  return [...writes, ...links.writes, ...pages.writes];
}

/** How many other hosts link to each of these docnos. */
export async function linkingHosts(database: PostingDatabase, docnos: Uint32Array): Promise<Uint32Array> {
  const hosts = new Uint32Array(docnos.length);
  const pages = await readAll(database, Array.from(docnos, pageKey));
  const known = [...pages.keys()].filter((index) => pages[index] !== undefined);
  const rows = await readAll(
    database,
    known.map((index) => hostsKey(pages[index] as Uint8Array)),
  );
  for (const [order, index] of known.entries()) hosts[index] = numberOf(rows[order]);
  return hosts;
}

interface Counted {
  readonly counts: readonly { readonly before: number; readonly after: number }[];
  readonly writes: readonly PostingWrite[];
}

/** Add to the numbers in rows. A number of 0 has no row. */
async function counted(
  database: PostingDatabase,
  changes: readonly (readonly [key: Uint8Array, by: number])[],
): Promise<Counted> {
  const rows = await readAll(
    database,
    changes.map(([key]) => key),
  );
  const counts = changes.map(([, by], index) => {
    const before = numberOf(rows[index]);
    return { before, after: Math.max(0, before + by) };
  });
  const writes = changes.map(([key], index): PostingWrite => {
    const { after } = counts[index] as { readonly after: number };
    return after === 0 ? { type: 'del', key } : { type: 'put', key, value: bytesOfNumber(after) };
  });
  return { counts, writes };
}

async function readAll(
  database: PostingDatabase,
  keys: readonly Uint8Array[],
): Promise<(Uint8Array | undefined)[]> {
  const values: (Uint8Array | undefined)[] = [];
  for (let at = 0; at < keys.length; at += keysReadAtOnce)
    for (const value of await database.getMany(keys.slice(at, at + keysReadAtOnce))) values.push(value);
  return values;
}

function marksOf(row: Uint8Array): string[] {
  const text = Buffer.from(row).toString('latin1');
  return Array.from({ length: Math.floor(text.length / markLength) }, (_, n) =>
    text.slice(n * markLength, (n + 1) * markLength),
  );
}

function bytesOfNumber(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const numberOf = (row: Uint8Array | undefined) => (row === undefined ? 0 : Buffer.from(row).readUInt32BE(0));
