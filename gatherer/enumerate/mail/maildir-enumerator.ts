import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, opendir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { failure } from '../../../kernel/index.ts';
import { endBytes } from '../../../readers/document/index.ts';
import { gathererErrors } from '../../errors.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { realPath } from '../folder/file-names.ts';
import { isWithin, pathOfOpen } from '../folder/open-within.ts';
import type { ScopeRule, ScopeRun } from '../scope-rule.ts';
import { mailFields } from './mail-fields.ts';

export interface MaildirEnumeratorOptions {
  /** The folder that holds `new` and `cur`. */
  readonly path: string;
  /** Prefix of the messages' URLs; ends in `/`. */
  readonly baseUrl?: string;
  readonly rule?: ScopeRule;
  /** Max size of a message that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
}

interface Message {
  readonly path: string;
  /** The part of the file's name that never changes. */
  readonly unique: string;
  readonly flags: string;
}

/**
 * Enumerates the messages of a Maildir and of the folders in it (Maildir++: `.Name` beside `new` and `cur`). A
 * message's URL comes from the unchanging part of its name, so reading or answering it changes nothing here. A message
 * with a known name is not opened. Trashed messages (flag T) and drafts (D) are left out.
 */
export class MaildirEnumerator implements Enumerator {
  readonly #options: MaildirEnumeratorOptions;
  readonly #path: string;
  readonly #base: string;
  readonly #maxBytes: number;

  constructor(options: MaildirEnumeratorOptions) {
    this.#options = options;
    this.#path = resolve(options.path);
    const base = options.baseUrl ?? `maildir://${this.#path.split('/').map(encodeURIComponent).join('/')}/`;
    this.#base = base.endsWith('/') ? base : `${base}/`;
    this.#maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const scope = this.#options.rule?.begin();
    for (const folder of await this.#folders()) {
      const prefix = `${this.#base}${folder === '' ? '' : `${encodeURIComponent(folder)}/`}`;
      const messages = await this.#messages(join(this.#path, folder));
      for (const message of messages) {
        signal?.throwIfAborted();
        yield await this.#message(prefix, message, memory, scope);
      }
    }
  }

  covers(url: string): boolean {
    return url.startsWith(this.#base);
  }

  async decide(url: string): Promise<ScopeVerdict> {
    if (!url.startsWith(this.#base)) return { url, included: false, rule: `it is not below ${this.#base}` };
    const verdict = this.#options.rule?.pathVerdict(url);
    if (verdict && !verdict.included) return verdict;
    return { url, included: true, rule: `a message of ${this.#path}, if it exists` };
  }

  /** The folders of a Maildir++: the root itself, and `.Name`; throws GATHERER_UNREADABLE if this is no Maildir. */
  async #folders(): Promise<readonly string[]> {
    const folders: string[] = [];
    let isMaildir = false;
    try {
      for await (const entry of await opendir(this.#path)) {
        if (!entry.isDirectory()) continue;
        if (entry.name === 'cur') isMaildir = true;
        if (/^\.[^.]/.test(entry.name)) folders.push(entry.name);
      }
    } catch (error) {
      throw this.#unreadable((error as Error).message, error);
    }
    if (!isMaildir) throw this.#unreadable('it has no folder cur, so it is no Maildir');
    return ['', ...folders.sort()];
  }

  /** Messages in the order of their names; a message that moves from new to cur meanwhile is listed once. */
  async #messages(folder: string): Promise<readonly Message[]> {
    const found = new Map<string, Message>();
    for (const part of ['new', 'cur']) {
      try {
        for await (const { name } of await opendir(join(folder, part))) {
          if (name.startsWith('.')) continue;
          const at = name.lastIndexOf(':');
          const unique = at < 0 ? name : name.slice(0, at);
          const flags = /:2,([A-Za-z]*)$/.exec(name)?.[1] ?? '';
          found.set(unique, { path: join(folder, part, name), unique, flags });
        }
      } catch (error) {
        // A sub-folder need not have both; an unreadable one hides its messages.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          throw this.#unreadable((error as Error).message, error);
      }
    }
    return [...found.values()].sort((a, b) => (a.unique < b.unique ? -1 : 1));
  }

  async #message(
    prefix: string,
    { path, unique, flags }: Message,
    memory: EnumerationMemory,
    scope: ScopeRun | undefined,
  ): Promise<Enumerated> {
    const url = `${prefix}${encodeURIComponent(unique)}`;
    const met = { url, depth: 1, discoveredFrom: prefix };
    const refusal = scope && (await scope.admit(url, 1));
    if (refusal) return { ...met, kind: 'skipped', ...refusal };
    if (flags.includes('T')) return { ...met, kind: 'skipped', rule: 'the message is in the trash (flag T)' };
    if (flags.includes('D')) return { ...met, kind: 'skipped', rule: 'the message is a draft (flag D)' };
    const known = await memory.recall(url);
    // A plus sign marks a message that was too large. With another limit it is read again.
    const stamp = known?.stamp ?? '';
    const asBefore = Number.parseInt(stamp, 36) > this.#maxBytes === stamp.endsWith('+');
    if (known?.md5 !== undefined && asBefore) return { ...met, kind: 'unchanged', remember: known };
    try {
      const read = await this.#read(path);
      if (typeof read === 'string') return { ...met, kind: 'skipped', rule: read };
      const { bytes, size } = read;
      const isLarge = size > this.#maxBytes;
      const md5 = createHash('md5').update(bytes).digest('hex');
      const { date } = mailFields(bytes);
      // The name begins with the second of delivery.
      const delivered = Number(/^(\d{9,11})\./.exec(unique)?.[1] ?? Number.NaN);
      const lastModified = date ?? (Number.isFinite(delivered) ? delivered : undefined);
      const document = {
        url,
        name: unique,
        bytes,
        md5,
        contentType: 'message/rfc822',
        ...(lastModified !== undefined && { lastModified }),
        ...(isLarge && { abridged: { head: bytes.length, size } }),
      };
      return {
        ...met,
        kind: 'document',
        document,
        remember: { md5, stamp: `${size.toString(36)}${isLarge ? '+' : ''}` },
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return { ...met, kind: 'failed', error: this.#unreadable('it was renamed while it was read', error) };
      return { ...met, kind: 'failed', error: this.#unreadable((error as Error).message, error) };
    }
  }

  /** The message, or its beginning when it is too large, or the rule that leaves it out. Links are not followed, and only regular files are read. */
  async #read(path: string): Promise<{ readonly bytes: Uint8Array; readonly size: number } | string> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      const stats = await file.stat();
      if (!stats.isFile()) return 'not a regular file';
      // A folder on the way may have become a link since it was listed.
      if (!isWithin(await realPath(this.#path), pathOfOpen(file.fd) ?? (await realPath(path))))
        return 'symbolic link out of the folder';
      const { size } = stats;
      if (size <= this.#maxBytes) {
        const whole = await file.readFile();
        return { bytes: whole, size: whole.length };
      }
      // Of a message that is too large the header and the beginning of its text.
      const each = endBytes(this.#maxBytes);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(each), 0, each, 0);
      return { bytes: buffer.subarray(0, bytesRead), size };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ELOOP') return 'symbolic link';
      throw error;
    } finally {
      await file?.close();
    }
  }

  #unreadable(reason: string, cause?: unknown) {
    return failure(gathererErrors.GATHERER_UNREADABLE, { path: this.#path, reason }, cause);
  }
}
