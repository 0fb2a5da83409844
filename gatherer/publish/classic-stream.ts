import { createWriteStream } from 'node:fs';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Epoch, Lsn } from '../../awareness/index.ts';
import type { RouteRequest, RouteResponse } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { printStream } from '../../soif/index.ts';
import {
  type DataFolder,
  deletedObjects,
  type ObjectSnapshot,
  refreshedObjects,
  updatedObjects,
} from '../../store/index.ts';
import { gathererErrors } from '../errors.ts';

/** Max attempts to make a file that was deleted before it was opened. */
const maxTries = 3;

const contentType = 'application/x-soif; charset=utf-8';
const readyFile = /^soif-([A-Za-z0-9_-]{16})\.(\d{1,16})\.gz$/;

/** Position of a reader of the stream; printed as `EPOCH.LSN`. */
interface Position {
  readonly epoch: Epoch;
  readonly lsn: Lsn;
}

const positionText = ({ epoch, lsn }: Position) => `${epoch}.${lsn}`;

/**
 * The stream of the original gatherd (facts: `@DELETE { } @REFRESH { } @UPDATE { }`), over plain HTTP GET for clients
 * without our code. The whole stream is a prepared gzip file; changes since a position or a time are printed from the
 * log.
 */
export class ClassicStream implements AsyncDisposable {
  readonly #folder: DataFolder;
  #making: Promise<Position> | undefined;
  #made: Position | undefined;
  #isWanted = false;
  private constructor(folder: DataFolder, made: Position | undefined) {
    this.#folder = folder;
    this.#made = made;
  }

  /** Open with the file that an earlier process prepared, if any. */
  static async open(folder: DataFolder): Promise<ClassicStream> {
    for (const file of await readdir(folder.path)) {
      const match = readyFile.exec(file);
      if (match !== null)
        return new ClassicStream(folder, { epoch: match[1] as Epoch, lsn: Number(match[2]) });
    }
    return new ClassicStream(folder, undefined);
  }

  /** Whether the stream was requested since the file was made: if not, a newer one is not needed yet. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  /** Make the compressed file for the current state of the store, unless it exists. */
  async prepare(): Promise<Position> {
    const { epoch, lsn } = await this.#folder.store.state();
    if (this.#made?.epoch === epoch && this.#made.lsn === lsn) return this.#made;
    // One at a time; a concurrent caller gets the file being made, or calls again.
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  /** Answer `GET /soif` and `GET /soif?since=EPOCH.LSN|TIME`. Throws GATHERER_SINCE and GATHERER_STALE. */
  async answer(request: RouteRequest): Promise<RouteResponse> {
    const since = request.query.since;
    this.#isWanted = true;
    return since === undefined || since === '' || since === '0' ? this.#whole(request) : this.#since(since);
  }

  /** All current objects, as one gzip member; the caller reads it to its end or destroys it. */
  async everything(): Promise<Readable> {
    this.#isWanted = true;
    return (await this.#opened()).file.createReadStream();
  }

  /** The changes since EPOCH.LSN or a time, as SOIF text. Throws GATHERER_SINCE and GATHERER_STALE. */
  async *changes(since: string): AsyncIterable<Uint8Array> {
    this.#isWanted = true;
    yield* (await this.#changed(since)).chunks;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#making?.catch(() => undefined);
  }

  #path(position: Position): string {
    return join(this.#folder.path, `soif-${positionText(position)}.gz`);
  }

  async #make(): Promise<Position> {
    await using snapshot = await this.#folder.store.snapshot();
    const { epoch, lsn } = snapshot.state;
    const path = this.#path({ epoch, lsn });
    const fresh = `${path}.new`;
    const stream = Readable.from(printStream({ updates: updatedObjects(snapshot, 0) }), {
      objectMode: false,
    });
    await pipeline(stream, createGzip({ level: 6 }), createWriteStream(fresh, { mode: 0o600 }));
    await rename(fresh, path);
    this.#made = { epoch, lsn };
    this.#isWanted = false;
    for (const file of await readdir(this.#folder.path))
      if (/^soif-.*\.gz(\.new)?$/.test(file) && join(this.#folder.path, file) !== path)
        await rm(join(this.#folder.path, file), { force: true });
    return this.#made;
  }

  async #whole(request: RouteRequest): Promise<RouteResponse> {
    const { epoch, lsn } = await this.#folder.store.state();
    const headers = (position: Position) => ({
      'content-type': contentType,
      etag: `"${positionText(position)}"`,
      vary: 'accept-encoding',
      'x-garner-state': positionText(position),
    });
    const current = headers({ epoch, lsn });
    if (request.headers['if-none-match'] === current.etag) return { status: 304, headers: current };
    const { position, file } = await this.#opened();
    const packed = file.createReadStream();
    if (/\bgzip\b/.test(request.headers['accept-encoding'] ?? ''))
      return { headers: { ...headers(position), 'content-encoding': 'gzip' }, body: packed };
    return { headers: headers(position), body: unpacked(packed) };
  }

  /** The compressed file, opened, so that it stays readable after its replacement. */
  async #opened(): Promise<{ readonly position: Position; readonly file: FileHandle }> {
    for (let tries = 0; ; tries++) {
      const position = await this.prepare();
      try {
        return { position, file: await open(this.#path(position)) };
      } catch (error) {
        // It was replaced in between, or deleted: make it again.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries >= maxTries) throw error;
        this.#made = undefined;
      }
    }
  }

  async #since(text: string): Promise<RouteResponse> {
    const { chunks, position } = await this.#changed(text);
    return { headers: { 'content-type': contentType, 'x-garner-state': position }, body: chunks };
  }

  async #changed(
    text: string,
  ): Promise<{ readonly chunks: AsyncIterable<Uint8Array>; readonly position: string }> {
    const snapshot = await this.#folder.store.snapshot();
    try {
      const { state } = snapshot;
      const lsn = await this.#lsnOf(text, snapshot);
      if (lsn < state.horizon || lsn > state.lsn)
        throw failure(gathererErrors.GATHERER_STALE, { since: text });
      const sections = {
        deletes: deletedObjects(snapshot, lsn),
        refreshes: refreshedObjects(snapshot, lsn),
        updates: updatedObjects(snapshot, lsn),
      };
      return { chunks: closing(printStream(sections), snapshot), position: positionText(state) };
    } catch (error) {
      await snapshot[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #lsnOf(text: string, snapshot: ObjectSnapshot): Promise<Lsn> {
    const position = /^([A-Za-z0-9_-]{16})\.(\d{1,15})$/.exec(text);
    if (position !== null) {
      if (position[1] !== snapshot.state.epoch) throw failure(gathererErrors.GATHERER_STALE, { since: text });
      return Number(position[2]);
    }
    const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Date.parse(text) / 1000;
    if (!Number.isFinite(seconds)) throw failure(gathererErrors.GATHERER_SINCE, { since: text.slice(0, 80) });
    return Math.max(await snapshot.lsnBefore(seconds), snapshot.state.horizon);
  }
}

/** The content of a gzip file. */
export function unpacked(packed: Readable): Readable {
  const plain = createGunzip();
  // A pipeline ends both when either ends: a reader that stops must not leave the file open.
  pipeline(packed, plain).catch(() => undefined);
  return plain;
}

async function* closing(
  chunks: AsyncIterable<Uint8Array>,
  snapshot: ObjectSnapshot,
): AsyncIterable<Uint8Array> {
  try {
    yield* chunks;
  } finally {
    await snapshot[Symbol.asyncDispose]();
  }
}
