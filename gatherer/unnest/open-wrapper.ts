import { failure } from '../../kernel/index.ts';
import {
  type ArchiveEntry,
  arEntries,
  binhexEntries,
  ChunkReader,
  cpioEntries,
  DistinctNames,
  heldBytes,
  mimeEntries,
  rpmPayload,
  sharEntries,
  tarEntries,
  tnefEntries,
  uuencodedEntries,
  zipEntries,
} from '../../readers/archives/index.ts';
import { isTar } from '../../readers/bytes/index.ts';
import { type Compression, decompress } from '../../readers/compression/index.ts';
import { withoutEnvelope } from '../../readers/mail/index.ts';
import { embeddedDocuments } from '../../readers/office/open-xml/index.ts';
import { pdfAttachments } from '../../readers/pdf/index.ts';
import { findProgram } from '../programs/index.ts';
import type { UnnestBudget } from './budget.ts';
import { unnestErrors } from './errors.ts';
import { asTar } from './tool-archive.ts';
import type { WrapperFormat } from './wrapper-format.ts';

/** Environment of unpacking. */
export interface UnnestEnvironment {
  /** Folders in which helping programs are looked up, a list as in PATH; PATH itself when absent. */
  readonly path?: string;
  readonly signal?: AbortSignal;
}

/** A wrapper opened: the entries of an archive, or the one content as a stream. */
export type OpenedWrapper =
  | {
      readonly kind: 'entries';
      readonly entries: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>;
      /** Whether the budget is charged while bytes are read; else it is charged per entry. */
      readonly charged: boolean;
      /** Whether the format usually wraps one document, so that a single entry is its content. */
      readonly single: boolean;
    }
  | {
      readonly kind: 'content';
      readonly chunks: AsyncIterable<Uint8Array>;
      /** Close it without reading the rest. */
      close(): Promise<void>;
    };

const piece = 64 * 1024;
const pause = 1024 * 1024;

/**
 * Open a wrapper without reading more than its beginning. A compressed archive is opened in one step, so that the whole
 * archive is never in memory. @throws UNNEST_TOOL, or an error of the format's reader
 */
export async function openWrapper(
  format: WrapperFormat,
  bytes: Uint8Array,
  name: string,
  budget: UnnestBudget,
  environment: UnnestEnvironment = {},
): Promise<OpenedWrapper> {
  const { maxWindowBytes } = budget.limits;
  const { signal } = environment;
  const entries = (
    found: AsyncIterable<ArchiveEntry> | Iterable<ArchiveEntry>,
    charged = false,
    single = false,
  ) => ({ kind: 'entries', entries: found, charged, single }) as const;
  switch (format) {
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'lzip':
    case 'lzma':
    case 'zstd':
    case 'compress':
      return openCompressed(format, bytes, name, budget, signal);
    case 'tar':
      return entries(tarEntries(new ChunkReader(metered(pieces(bytes), budget, name, signal))), true);
    case 'zip':
      return entries(zipEntries(bytes, maxWindowBytes));
    case 'ar':
      return entries(arEntries(bytes));
    case 'cpio':
      return entries(cpioEntries(new ChunkReader(metered(pieces(bytes), budget, name, signal))), true);
    case 'rpm':
      return entries(
        cpioEntries(new ChunkReader(metered(rpmPayload(bytes, maxWindowBytes), budget, name, signal))),
        true,
      );
    case 'shar':
      return entries(sharEntries(bytes));
    case 'uuencode':
      return entries(uuencodedEntries(bytes), false, true);
    case 'binhex':
      return entries(binhexEntries(bytes, budget.memberBytes), false, true);
    case 'mail':
      return entries(mimeEntries(withoutEnvelope(bytes)));
    case 'pdf':
      return entries(carriedEntries(pdfAttachments(bytes)));
    case 'office':
      return entries(carriedEntries(await embeddedDocuments(bytes)));
    case 'tnef':
      return entries(tnefEntries(bytes));
    case '7z':
    case 'rar':
    case 'lha':
    case 'cab':
    case 'iso': {
      const run = { program: toolFor(name, environment), seconds: budget.limits.toolSeconds };
      const tar = asTar(bytes, { ...run, signal });
      return entries(tarEntries(new ChunkReader(metered(tar, budget, name, signal)), true), true);
    }
  }
}

/** The documents that another carries; their names need not differ there. */
function* carriedEntries(
  carried: Iterable<{
    readonly name: string;
    readonly size?: number;
    readonly modified?: number;
    read(): Uint8Array | Promise<Uint8Array>;
  }>,
): Generator<ArchiveEntry> {
  const names = new DistinctNames();
  for (const { name, read, ...about } of carried)
    yield { ...about, name: names.of(name), read: async (max) => heldBytes(await read())(max) };
}

/** The program for formats without a reader here. @throws UNNEST_TOOL */
export function toolFor(name: string, environment: UnnestEnvironment): string {
  const program = findProgram('bsdtar', environment.path);
  if (program === undefined) throw failure(unnestErrors.UNNEST_TOOL, { path: name, tools: ['bsdtar'] });
  return program;
}

async function openCompressed(
  compression: Compression,
  bytes: Uint8Array,
  name: string,
  budget: UnnestBudget,
  signal: AbortSignal | undefined,
): Promise<OpenedWrapper> {
  const unpacked = decompress(compression, bytes, budget.limits.maxWindowBytes);
  const reader = new ChunkReader(metered(unpacked, budget, name, signal));
  const lead = await leadOf(reader);
  if (isTar(lead)) return { kind: 'entries', entries: tarEntries(reader), charged: true, single: false };
  if (/^07070[127]/.test(Buffer.from(lead.subarray(0, 6)).toString('latin1')))
    return { kind: 'entries', entries: cpioEntries(reader), charged: true, single: false };
  return { kind: 'content', chunks: reader.rest(), close: () => reader.close() };
}

// A later read reports this fault; the data before it is still readable.
async function leadOf(reader: ChunkReader): Promise<Uint8Array> {
  try {
    return await reader.peek(512);
  } catch {
    return new Uint8Array(0);
  }
}

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece);
}

// Charges the budget for each piece before it is passed on, and yields to the event loop at intervals: most decoders
// never wait.
async function* metered(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  budget: UnnestBudget,
  name: string,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let since = 0;
  for await (const chunk of chunks) {
    budget.charge(chunk.length, name);
    since += chunk.length;
    if (since >= pause) {
      since = 0;
      signal?.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
    }
    yield chunk;
  }
}
