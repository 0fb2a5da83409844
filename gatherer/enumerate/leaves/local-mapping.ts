import type { BigIntStats } from 'node:fs';
import { type FileHandle, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  fetchErrors,
  wholeResponse,
} from '../../../fetch/index.ts';
import { failure } from '../../../kernel/index.ts';
import { openWithin } from '../folder/open-within.ts';
import { rootErrors } from '../root-errors.ts';

/** Documents below a URL prefix are files below a folder of this machine. */
export interface Mapping {
  /** Ends in `/`. */
  readonly url: string;
  readonly path: string;
}

/** Why a document below a mapped prefix was requested over the network. */
export type FallBack =
  | 'the folder is not there'
  | 'no such file'
  | 'not a regular file'
  | 'may not be read'
  | 'executable: the server may run it'
  | 'its name needs escaping'
  | 'it has a query'
  | 'it names a folder'
  | 'its name begins with a dot'
  | 'it lies outside of the folder';

/** Counts of mappings: files read from disk, and requests to the network, by reason. */
export interface MappingCounts {
  readonly local: number;
  readonly network: Readonly<Partial<Record<FallBack, number>>>;
  /** The first URL of each reason, for people. */
  readonly examples: Readonly<Partial<Record<FallBack, string>>>;
}

interface Opened {
  readonly file: FileHandle;
  readonly size: number;
  readonly mtimeNs: bigint;
  /** Changes when the file does: size, times and inode. */
  readonly stamp: string;
}

/** Reads a site's documents from its server's disk (Harvest's Local-Mapping), or else over the network. */
export class LocalMapping {
  /** A `Fetch` in front of the given one. */
  readonly fetch: Fetch = (request) => this.#fetch(request);
  readonly #mappings: readonly Mapping[];
  readonly #next: Fetch;
  readonly #maxBytes: number;
  #local = 0;
  readonly #network: Partial<Record<FallBack, number>> = {};
  readonly #examples: Partial<Record<FallBack, string>> = {};

  /** Throws GATHERER_ROOT_NODE for an invalid mapping. The longest prefix decides. */
  constructor(mappings: readonly Mapping[], next: Fetch, maxBytes = 64 * 1024 * 1024) {
    for (const [at, mapping] of mappings.entries()) checkMapping(mapping, `gatherer.local-mapping[${at}]`);
    this.#mappings = mappings
      .map(({ url, path }) => ({ url: new URL(url).href, path }))
      .sort((a, b) => b.url.length - a.url.length);
    this.#next = next;
    this.#maxBytes = maxBytes;
  }

  get counts(): MappingCounts {
    return { local: this.#local, network: { ...this.#network }, examples: { ...this.#examples } };
  }

  async #fetch(request: FetchRequest): Promise<FetchResponse> {
    const { url, method = 'GET' } = request;
    const normal = URL.canParse(url) ? new URL(url).href : url;
    const mapping = this.#mappings.find((one) => normal.startsWith(one.url));
    if (mapping === undefined || (method !== 'GET' && method !== 'HEAD')) return this.#next(request);
    const opened = await openMapped(mapping, normal.slice(mapping.url.length));
    if (typeof opened === 'string') {
      this.#network[opened] = (this.#network[opened] ?? 0) + 1;
      this.#examples[opened] ??= url;
      return this.#next(request);
    }
    try {
      const response = await this.#answer(request, opened);
      this.#local += 1;
      return response;
    } finally {
      await opened.file.close();
    }
  }

  async #answer(request: FetchRequest, { file, size, mtimeNs, stamp }: Opened): Promise<FetchResponse> {
    const { url, method, maxBytes = this.#maxBytes } = request;
    const lastModified = Number(mtimeNs / 1_000_000_000n);
    const etag = `"local-${stamp}"`;
    const known = { lastModified, etag };
    if (request.etag === etag) return wholeResponse(url, 304, known);
    if (method === 'HEAD') return wholeResponse(url, 200, known);
    if (size > maxBytes && request.start !== true)
      throw failure(fetchErrors.FETCH_TOO_LARGE, { url, maxBytes });
    request.signal?.throwIfAborted();
    // A file that grows meanwhile is cut at its size.
    const wanted = Math.min(size, maxBytes);
    const body = Buffer.alloc(wanted);
    let length = 0;
    while (length < wanted) {
      const { bytesRead } = await file.read(body, length, wanted - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return wholeResponse(url, 200, { ...known, body: body.subarray(0, length) });
  }
}

/** Throws GATHERER_ROOT_NODE, which names `key`, for an invalid mapping. */
export function checkMapping({ url, path }: Mapping, key: string): void {
  const fault = (why: string, cure: string) => failure(rootErrors.GATHERER_ROOT_NODE, { key, why, cure });
  if (!URL.canParse(url) || !/^https?:/.test(url) || !url.endsWith('/') || /[?#%]/.test(url))
    throw fault(
      `${url} is no URL prefix`,
      'Write one that ends in a slash, such as https://example.org/docs/.',
    );
  if (!path.startsWith('/'))
    throw fault(`${path} is no absolute path`, 'Write the folder with its full path from /.');
}

/** The open file for the rest of a URL after a mapped prefix, or why it must be requested over the network. */
async function openMapped({ path: folder }: Mapping, rest: string): Promise<Opened | FallBack> {
  if (rest.includes('?')) return 'it has a query';
  const name = rest.replace(/#.*$/s, '');
  if (name === '' || name.endsWith('/')) return 'it names a folder';
  if (!/^[A-Za-z0-9._~!$&'()*+,;=:@/-]+$/.test(name)) return 'its name needs escaping';
  const names = name.split('/');
  // Servers do not publish such files.
  if (names.some((segment) => segment.startsWith('.'))) return 'its name begins with a dot';
  if (names.includes('')) return 'its name needs escaping';
  let root: string;
  try {
    root = await realpath(folder);
  } catch {
    return 'the folder is not there';
  }
  const path = join(root, ...names);
  let file: FileHandle | undefined;
  try {
    file = (await openWithin(root, path))?.file;
    if (file === undefined) return 'it lies outside of the folder';
    const stats = await file.stat({ bigint: true });
    const refused = refusal(stats);
    const { size, mtimeNs, ctimeNs, ino } = stats;
    // A copying tool may preserve size and date: only ctime and inode differ then.
    const stamp = [size, mtimeNs, ctimeNs, ino].map((part) => part.toString(36)).join('-');
    if (refused === undefined) return { file, size: Number(size), mtimeNs, stamp };
    await file.close();
    return refused;
  } catch (error) {
    await file?.close().catch(() => undefined);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'no such file';
    if (code === 'ENXIO' || code === 'EISDIR') return 'not a regular file';
    return 'may not be read';
  }
}

function refusal(stats: BigIntStats): FallBack | undefined {
  if (stats.isDirectory()) return 'it names a folder';
  if (!stats.isFile()) return 'not a regular file';
  return (stats.mode & 0o111n) === 0n ? undefined : 'executable: the server may run it';
}
