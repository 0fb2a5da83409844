import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A waiting URL. */
export interface Candidate {
  readonly url: string;
  readonly depth: number;
  readonly from?: string;
  /** URLs that redirected here, first to last. */
  readonly via?: readonly string[];
  /** Last modification by a sitemap, seconds since 1970. */
  readonly modified?: number;
  /** Its links are not followed, because nothing of this run led to it. */
  readonly leaf?: boolean;
  /** The body is needed, whatever is remembered. */
  readonly whole?: boolean;
  /** It is gathered under its own address, whatever it names. */
  readonly own?: boolean;
  /** A list of the site's pages names it: it is no part of a trap, and no page for missing addresses that looks like others. */
  readonly listed?: boolean;
  /** It is read before all others, because they are compared with it. */
  readonly next?: boolean;
  /** It is requested a second time, with the cookie that its redirect has set. */
  readonly again?: boolean;
}

/** A queue or stack of candidates; those beyond the memory limit wait in a temporary folder, in order. */
export class Frontier implements AsyncDisposable {
  readonly #chunk: number;
  readonly #lastFirst: boolean;
  #head: Candidate[] = [];
  #at = 0;
  #tail: Candidate[] = [];
  readonly #next: Candidate[] = [];
  #folder: string | undefined;
  readonly #spilled: string[] = [];
  #written = 0;
  #size = 0;

  /** `inMemory`: max candidates in memory; `lastFirst`: a stack. */
  constructor(inMemory: number, lastFirst = false) {
    this.#lastFirst = lastFirst;
    this.#chunk = Math.max(1, Math.floor(inMemory / 2));
  }

  get size(): number {
    return this.#size;
  }

  /** Number of chunks written to disk so far. */
  get spills(): number {
    return this.#written;
  }

  async push(candidate: Candidate): Promise<void> {
    this.#size += 1;
    if (candidate.next) {
      this.#next.push(candidate);
      return;
    }
    this.#tail.push(candidate);
    if (this.#tail.length < this.#chunk) return;
    if (!this.#lastFirst && this.#at >= this.#head.length && this.#spilled.length === 0) {
      this.#head = this.#tail;
      this.#at = 0;
    } else {
      this.#folder ??= await mkdtemp(join(tmpdir(), 'garner-frontier-'));
      const path = join(this.#folder, String(this.#written));
      this.#written += 1;
      await writeFile(path, JSON.stringify(this.#tail));
      this.#spilled.push(path);
    }
    this.#tail = [];
  }

  /** The oldest candidate, or the newest one of a stack; undefined when empty. */
  async shift(): Promise<Candidate | undefined> {
    if (this.#size === 0) return undefined;
    const next = this.#next.shift();
    if (next !== undefined) {
      this.#size -= 1;
      return next;
    }
    if (this.#lastFirst) return this.#pop();
    if (this.#at >= this.#head.length) {
      this.#at = 0;
      const path = this.#spilled.shift();
      if (path === undefined) {
        this.#head = this.#tail;
        this.#tail = [];
      } else {
        this.#head = JSON.parse(await readFile(path, 'utf8')) as Candidate[];
        await rm(path);
      }
    }
    this.#size -= 1;
    const candidate = this.#head[this.#at];
    this.#at += 1;
    return candidate;
  }

  async #pop(): Promise<Candidate | undefined> {
    if (this.#tail.length === 0) {
      const path = this.#spilled.pop() as string;
      this.#tail = JSON.parse(await readFile(path, 'utf8')) as Candidate[];
      await rm(path);
    }
    this.#size -= 1;
    return this.#tail.pop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true });
  }
}
