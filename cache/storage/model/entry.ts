import type { Clock, Random } from '../../../kernel/index.ts';
import type { EvictionPolicy } from '../../eviction/index.ts';
import type { ByteRange, StoredHead } from '../../rules/index.ts';
import type { FileCalls } from '../files/file-calls.ts';
import type { DiskReport, FreeBytes } from './disk-condition.ts';

/** One stored response. A snapshot: a change creates another object with the same id. */
export interface Entry {
  /** Never reused while the store is open. */
  readonly id: number;
  /** The key of its URL; `head.selecting` distinguishes the responses of one key. */
  readonly key: string;
  readonly head: StoredHead;
  /** Bytes of content that are stored. */
  readonly contentLength: number;
  /** The stored range of a content of `total` bytes; absent when all of it is stored. */
  readonly part?: ByteRange & { readonly total: number };
  /** Invalidated by a change (RFC 9111 4.4): validated before any use. */
  readonly invalidated: boolean;
  /**
   * Time of a soft purge: stale from then on at the latest, whatever its fields state. Milliseconds since
   * 1970.
   */
  readonly staleSinceMs?: number;
  /** Surrogate keys, max 64 of 256 bytes. */
  readonly tags: readonly string[];
}

/** A response that is being written. It cannot be found before `commit`. */
export interface EntryWriter {
  /** Bytes appended so far. */
  readonly written: number;
  /** Append content. False when it does not fit (disk full, too large): the writer has then aborted itself. */
  append(chunk: Uint8Array): boolean | Promise<boolean>;
  /** Up to `max` appended bytes, from `offset` on; for readers that join during the write. */
  readBack(offset: number, max: number): Promise<Uint8Array>;
  /**
   * Add it to the store, in place of the response with the same key and selecting fields. Undefined when it
   * could not be stored.
   */
  commit(): Promise<Entry | undefined>;
  /** Drop the written bytes. May be called twice; after commit it means that there are no more joined readers. */
  abort(): void;
}

/** The stored responses that a purge covers. */
export type PurgeTarget =
  | { readonly url: string }
  | { readonly prefix: string }
  | { readonly tag: string }
  | { readonly all: true };

/** A store of responses. */
export interface EntryStore extends AsyncDisposable {
  /** Every response of a key, the latest received first. Without a promise when memory has them. */
  variants(key: string): readonly Entry[] | Promise<readonly Entry[]>;
  /** Whether a key has any response, by the index alone (may be wrong once in 10^12). */
  has(key: string): boolean;
  /** Count hits, for the eviction policy and the list of the hottest. */
  touch(entry: Entry, times?: number): void;
  /** The whole content when memory holds it. */
  hotContent(entry: Entry): Uint8Array | undefined;
  /**
   * The content, or a range of its stored bytes (offsets in the whole content), in pieces of max 64 KiB, each
   * checked before it is yielded. It stays readable to its end when the entry is evicted or replaced. Throws
   * CACHE_DAMAGED, after which the entry is removed, and CACHE_GONE when it is no longer stored.
   */
  read(entry: Entry, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** The max size of a content that can be stored now. */
  readonly largestBytes: number;
  /** Begin to write; undefined when it is not admitted (too large for the store, store closing, disk full). */
  write(options: {
    readonly key: string;
    readonly head: StoredHead;
    /** When known; a content of another length makes `commit` refuse. */
    readonly length?: number | undefined;
    readonly part?: (ByteRange & { readonly total: number }) | undefined;
    readonly tags?: readonly string[];
  }): EntryWriter | undefined;
  /**
   * Set another head for the same content (a 304, or a HEAD's answer); the entry is then no longer
   * invalidated or softly purged. Undefined when it is no longer stored.
   */
  updateHead(entry: Entry, head: StoredHead): Entry | undefined;
  /** Remove an entry at once. */
  remove(entry: Entry): void;
  /**
   * Make every covered response stale (soft), or remove it, from the call on, including responses being
   * written. Resolves with their number, when it is on disk. Rejects with CACHE_STORE_FAILED when the disk
   * cannot store it: then it is active until the process ends.
   */
  purge(target: PurgeTarget, options: { readonly soft: boolean }): Promise<number>;
  /**
   * Have all responses of a key, including those being written, validated before use: RFC 9111 4.4. It outlives the
   * process when this resolves, if the disk accepts it; a refusal is reported by the next `flush` or `purge`.
   */
  invalidate(key: string): Promise<number>;
  /** Stored responses by descending hits or size; max 100. */
  top(order: 'hits' | 'size', count: number): Promise<readonly { entry: Entry; hits: number }[]>;
  /** All keys, in no order; there may be many. */
  keys(): AsyncIterable<string>;
  statistics(): {
    readonly entries: number;
    readonly contentBytes: number;
    readonly diskBytes: number;
    readonly diskBudgetBytes: number;
    /** The part of the budget for which the disk has room. */
    readonly diskUsableBytes: number;
    readonly disk: DiskReport;
    readonly memoryBytes: number;
    readonly memoryBudgetBytes: number;
    readonly evicted: number;
    readonly damaged: number;
    readonly refused: number;
  };
  /** Resolves when every earlier commit is on disk. */
  flush(): Promise<void>;
}

export interface EntryStoreOptions {
  /** Folder of the persistent store; without it all responses are in memory. */
  readonly folder?: string;
  /** Memory for contents (and, without a folder, for everything). */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** The max size of a stored content. */
  readonly largestEntryBytes: number;
  /** SIEVE when absent. */
  readonly policy?: () => EvictionPolicy;
  /** Bytes free on the disk of the folder; from the operating system when absent. */
  readonly free?: FreeBytes;
  /** Calls for the files of the folder; the operating system's when absent. */
  readonly calls?: FileCalls;
  readonly clock: Clock;
  readonly random: Random;
}
