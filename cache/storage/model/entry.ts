import type { StoredHead } from '../../rules/index.ts';
import type { DiskReport } from './disk-condition.ts';

/** A run of bytes of a content; both ends are included, as in RFC 9110 14. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** One stored response. A snapshot: what changes about it makes another one with the same id. */
export interface Entry {
  /** Never used again while the store is open. */
  readonly id: number;
  /** The effective request URI: responses under one key are told apart by `head.selecting`. */
  readonly key: string;
  readonly head: StoredHead;
  /** Bytes of content that are here. */
  readonly contentLength: number;
  /** Which bytes of a content of `total` bytes are here; absent when all are. */
  readonly part?: ByteRange & { readonly total: number };
  /** Outdated by a change (RFC 9111 4.4): to be validated before it is used again, whatever happens. */
  readonly invalidated: boolean;
  /** Softly purged then: stale since that moment at the latest, whatever it says of itself. Milliseconds since 1970. */
  readonly staleSinceMs?: number;
  /** Surrogate keys, at most 64 of 256 bytes. */
  readonly tags: readonly string[];
}

/** A response that is being written. Nobody else finds it before `commit`. */
export interface EntryWriter {
  /** Bytes appended so far. */
  readonly written: number;
  /** Append content. False when it no longer fits (disk full, too large): the writer has aborted itself. */
  append(chunk: Uint8Array): boolean | Promise<boolean>;
  /** Up to `max` bytes that were appended, from `offset` on; for readers that join while it is written. */
  readBack(offset: number, max: number): Promise<Uint8Array>;
  /** Make it found, in place of what has the same key and the same selecting fields. Undefined when it could not be kept. */
  commit(): Promise<Entry | undefined>;
  /** Forget what was written. Safe to call twice; after commit it says that nobody reads back any more. */
  abort(): void;
}

/** Which stored responses a purge means. */
export type PurgeTarget =
  | { readonly url: string }
  | { readonly prefix: string }
  | { readonly tag: string }
  | { readonly all: true };

/** Where responses are kept. */
export interface EntryStore extends AsyncDisposable {
  /** Every response under a key, those received last first. Without a promise when memory alone answers. */
  variants(key: string): readonly Entry[] | Promise<readonly Entry[]>;
  /** Whether anything is under a key, from the index alone (may be wrong once in 10^12). */
  has(key: string): boolean;
  /** Note a hit, or several: the eviction policy's business, and the counters' of the hottest. */
  touch(entry: Entry, times?: number): void;
  /** The whole content when memory holds it. */
  hotContent(entry: Entry): Uint8Array | undefined;
  /**
   * The content, or a run of the bytes that are here (counted in the whole content), in pieces of at most 64 KiB,
   * each checked before it is given out. It stays readable to its end when the entry is evicted or replaced.
   * Throws CACHE_DAMAGED, after which the entry is gone, and CACHE_GONE when it is no longer here.
   */
  read(entry: Entry, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** A content that is larger is never kept, as things stand. */
  readonly largestBytes: number;
  /** Begin to write; undefined when it will not be admitted (too large for the store, store closing, disk full). */
  write(options: {
    readonly key: string;
    readonly head: StoredHead;
    /** When known; a larger or smaller content makes `commit` refuse. */
    readonly length?: number | undefined;
    readonly part?: (ByteRange & { readonly total: number }) | undefined;
    readonly tags?: readonly string[];
  }): EntryWriter | undefined;
  /** Another head for the same content (a 304, or a HEAD's answer); the entry is no longer invalidated or softly purged. Undefined when it is gone. */
  updateHead(entry: Entry, head: StoredHead): Entry | undefined;
  /** Forget an entry at once. */
  remove(entry: Entry): void;
  /**
   * Everything meant is stale (soft), or forgotten, from the call on; so is what was begun to be written before it. Gives
   * how many, when it is on disk. Throws CACHE_STORE_FAILED when the disk cannot keep it: it then holds until the process
   * ends.
   */
  purge(target: PurgeTarget, options: { readonly soft: boolean }): Promise<number>;
  /**
   * All under a key, and what was begun to be written before, is to be validated before use: RFC 9111 4.4. It outlives the
   * process when this resolves, if the disk takes it; that a disk does not is what the next `flush` or `purge` tells.
   */
  invalidate(key: string): Promise<number>;
  /** What is kept, from the most to the least asked for or from the largest to the smallest; at most 100. */
  top(order: 'hits' | 'size', count: number): Promise<readonly { entry: Entry; hits: number }[]>;
  /** All keys, in no order; may be long. */
  keys(): AsyncIterable<string>;
  statistics(): {
    readonly entries: number;
    readonly contentBytes: number;
    readonly diskBytes: number;
    readonly diskBudgetBytes: number;
    /** What it may have of that by what the disk has room for. */
    readonly diskUsableBytes: number;
    readonly disk: DiskReport;
    readonly memoryBytes: number;
    readonly memoryBudgetBytes: number;
    readonly evicted: number;
    readonly damaged: number;
    readonly refused: number;
  };
  /** What was committed before is on disk when this resolves. */
  flush(): Promise<void>;
}
