import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Clock, failure, GarnerError, isGarnerError, type Random } from '../../kernel/index.ts';
import {
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  succeedingSecret,
  successionOf,
} from '../../soif/index.ts';
import {
  bytesOn,
  type Database,
  notHeld,
  openRenewable,
  type RenewableDatabase,
  readKept,
  replaceFile,
  storeFault,
  syncFolder,
  writeKept,
} from '../database/index.ts';
import { storeErrors } from '../errors.ts';
import { type MendedDatabase, MendedDatabases } from './mended-databases.ts';
import { ObjectStore } from './object-store.ts';

/** The roles of servers that have a wire and summary objects. */
export const serverRoles = ['gatherer', 'broker', 'registry', 'replicator', 'tracker', 'oai'] as const;

export type ServerRole = (typeof serverRoles)[number];

/** The roles of all servers with a data folder. */
export const dataRoles = [...serverRoles, 'cache'] as const;

export type DataRole = (typeof dataRoles)[number];

/** A role as the name of its server, for messages. */
export function nameOfRole(role: DataRole): string {
  return role === 'oai' ? 'OAI server' : `${role.charAt(0).toUpperCase()}${role.slice(1)}`;
}

/** The process that holds a data folder, as it reports itself; address and token are those of its control door. */
export interface Holder {
  readonly pid: number;
  readonly role: DataRole;
  readonly address?: string;
  readonly token?: string;
  /** The certificates (PEM) of an `https:` address; two while the process changes them. */
  readonly certificates?: readonly string[];
}

/** The opened data folder of one server: its identity, its object store, and room for more databases. */
export interface DataFolder extends AsyncDisposable {
  readonly path: string;
  readonly identity: Identity;
  readonly store: ObjectStore;
  /** Open another database in the folder; it is closed with the folder. */
  database(name: string): Promise<Database>;
  /** The same for a database that can be rebuilt, such as an index: damaged files cost only time. */
  renewable(name: string): Promise<RenewableDatabase>;
  /** The databases that were damaged and made again from what could be read. */
  readonly mended: readonly MendedDatabase[];
  /** Whether the loss of one of these databases is not made up for yet. */
  isMended(...names: readonly string[]): boolean;
  /** The losses are made up for. */
  settleMended(): Promise<void>;
  /** Let every database of the folder rewrite its files; may take long, and everything goes on meanwhile. */
  compact(): Promise<readonly CompactedDatabase[]>;
  /**
   * Change the key from the next opening on: a new one, which the present one signs, or with `isRevoked` the revocation
   * of those before the present one. Throws STORE_NO_OLD_KEY where there is none.
   */
  changeKey(isRevoked: boolean): Promise<Identity>;
  /** Write the address of the control door for other processes. */
  announce(control: Pick<Holder, 'address' | 'token' | 'certificates'>): Promise<void>;
}

/** The bytes that a database of a folder took on disk before and after it was compacted. */
export interface CompactedDatabase {
  readonly name: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

export interface DataFolderOptions {
  readonly role: DataRole;
  readonly clock: Clock;
  readonly random: Random;
  /** Make the folder when it is missing; otherwise that is STORE_MISSING. */
  readonly create?: boolean;
  /** Make damaged databases again from what can be read; otherwise they are STORE_DAMAGED. As `create` if absent. */
  readonly heals?: boolean;
  readonly cacheBytes?: number;
}

const holderFile = 'holder.json';
const identityFile = 'identity.json';

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** STORE_UNREADABLE; STORE_FULL or STORE_REFUSED where the system has no room or no descriptor. */
function unreadable(path: string, reason: string, cause?: unknown): GarnerError {
  const fault = storeFault(cause, path);
  if (isGarnerError(fault)) return fault;
  return failure(storeErrors.STORE_UNREADABLE, { path, reason }, cause);
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * Make a folder and its missing parents, one by one: a recursive mkdir of Node.js never ends where the system
 * reports that a new folder's parent is missing though it is there (/proc). Throws STORE_UNREADABLE.
 */
async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      if ((await stat(at)).isDirectory()) break;
    } catch (error) {
      const isAbsent = codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';
      if (!isAbsent || at === dirname(at)) throw unreadable(path, reasonOf(error), error);
      missing.push(at);
      continue;
    }
    throw unreadable(path, `${at} is a file, not a folder`);
  }
  for (const folder of missing.reverse()) {
    try {
      await mkdir(folder, { mode: 0o700 });
      // A server that loses its folder to a power cut would be another server to its clients.
      await syncFolder(dirname(folder)).catch(() => undefined);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (codeOf(error) === 'EEXIST') continue;
      throw unreadable(path, `${folder} cannot be made (${codeOf(error) ?? reasonOf(error)})`, error);
    }
  }
}

/** The reported holder of a folder; a killed process leaves its report behind, so only the lock is proof. */
export async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const held = JSON.parse(await readFile(join(path, holderFile), 'utf8')) as Partial<Holder>;
    if (typeof held.pid !== 'number' || !dataRoles.some((role) => role === held.role)) return undefined;
    return held as Holder;
  } catch {
    return undefined;
  }
}

const wholeRange = { gte: new Uint8Array(), lt: new Uint8Array(64).fill(0xff) };

async function compactAll(databases: readonly Database[]): Promise<readonly CompactedDatabase[]> {
  const compacted: CompactedDatabase[] = [];
  for (const one of databases) {
    const bytesBefore = await bytesOn(one.path);
    await one.compact(wholeRange);
    compacted.push({ name: basename(one.path), bytesBefore, bytesAfter: await bytesOn(one.path) });
  }
  return compacted;
}

/** Throws STORE_LOCKED, with the reported holder, while a process has the data folder open. */
export async function freeDataFolder(path: string): Promise<void> {
  try {
    await notHeld(join(path, 'store'));
  } catch (error) {
    throw await namingHolder(error, path);
  }
}

/** For STORE_LOCKED, an error that names the reported holder; others unchanged. */
async function namingHolder(error: unknown, path: string): Promise<unknown> {
  if (!isGarnerError(error, storeErrors.STORE_LOCKED)) return error;
  const held = await readHolder(path);
  const { pid, role, address } = held ?? { pid: undefined, role: undefined };
  return failure(storeErrors.STORE_LOCKED, { path, pid, role, address }, error);
}

async function openStore(
  database: Database,
  options: DataFolderOptions,
  isMended: boolean,
): Promise<ObjectStore> {
  // Loaded where it is used.
  if (isMended) await (await import('../check/index.ts')).prepareSalvaged(database, options.random);
  const store = await ObjectStore.open(database, options);
  if (isMended) await store.check({ repair: true });
  return store;
}

interface IdentityRow extends IdentitySecret {
  readonly role: DataRole;
}

/** The identity of a data folder, which may be in use. Throws STORE_MISSING, STORE_IDENTITY, STORE_UNREADABLE. */
export async function readFolderIdentity(where: string): Promise<Identity> {
  const path = resolve(where);
  const row = await readIdentity(join(path, identityFile));
  if (row === undefined) throw failure(storeErrors.STORE_MISSING, { path });
  return identityFrom(row);
}

async function readIdentity(
  path: string,
  options?: { readonly heals: boolean },
): Promise<IdentityRow | undefined> {
  let text: string | undefined;
  try {
    text = await readKept(path, options);
  } catch (error) {
    if (isGarnerError(error)) throw error;
    // The identity is not at fault when the folder itself cannot be entered.
    if (codeOf(error) !== 'EISDIR') throw unreadable(dirname(path), reasonOf(error), error);
    throw failure(storeErrors.STORE_IDENTITY, { path, reason: 'it is a folder' }, error);
  }
  if (text === undefined) return undefined;
  try {
    const { check: _, ...row } = JSON.parse(text) as Partial<IdentityRow> & { readonly check?: string };
    if (typeof row.serverId !== 'string' || typeof row.privateKey !== 'string')
      throw new TypeError('a field is missing');
    if (Buffer.from(row.serverId, 'base64url').length !== 16)
      throw new TypeError('the server id is not 16 bytes');
    identityFrom(row as IdentityRow);
    return row as IdentityRow;
  } catch (error) {
    throw failure(storeErrors.STORE_IDENTITY, { path, reason: reasonOf(error) }, error);
  }
}

const writeIdentity = (path: string, row: IdentityRow) =>
  writeKept(join(path, identityFile), JSON.stringify(row));

/**
 * Open the data folder of a server and own it until disposed. Throws STORE_LOCKED while another process owns it,
 * STORE_MISSING, STORE_ROLE, STORE_IDENTITY or STORE_UNREADABLE.
 */
export async function openDataFolder(where: string, options: DataFolderOptions): Promise<DataFolder> {
  const path = resolve(where);
  const known = await readIdentity(join(path, identityFile));
  if (known === undefined && options.create !== true) throw failure(storeErrors.STORE_MISSING, { path });
  if (known !== undefined && known.role !== options.role)
    throw failure(storeErrors.STORE_ROLE, { path, found: known.role, wanted: options.role });
  await makeFolder(path);

  const cache = options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes };
  const mended = await MendedDatabases.of(path, options.heals ?? options.create === true);
  let database: Database;
  try {
    database = await mended.open('store', cache);
  } catch (error) {
    throw await namingHolder(error, path);
  }

  const others: Database[] = [];
  const close = async () => {
    for (const other of others.reverse()) await other[Symbol.asyncDispose]();
  };
  try {
    // Read again under the lock: another process may have made it meanwhile.
    let secret = await readIdentity(join(path, identityFile), { heals: true });
    if (secret === undefined) {
      secret = { ...newIdentitySecret(options.random), role: options.role };
      await writeIdentity(path, secret);
    }
    const opened = secret;
    const store = await openStore(database, options, mended.has('store'));
    const holder = { pid: process.pid, role: options.role };
    await replaceFile(join(path, holderFile), JSON.stringify(holder));
    return {
      path,
      identity: identityFrom(opened),
      store,
      database: async (name) => {
        const other = await mended.open(name, cache);
        others.push(other);
        return other;
      },
      renewable: async (name) => {
        const other = await openRenewable(join(path, name), cache);
        others.push(other);
        return other;
      },
      mended: mended.all,
      isMended: (...names) => names.some((name) => mended.has(name)),
      settleMended: () => mended.settled(),
      compact: () => compactAll([database, ...others]),
      changeKey: async (isRevoked) => {
        const { serverId, succession = [] } = identityFrom(opened);
        if (isRevoked && (successionOf(serverId, succession)?.valid.length ?? 0) < 2)
          throw failure(storeErrors.STORE_NO_OLD_KEY, { path });
        const at = Math.floor(options.clock.now() / 1000);
        const changed = { ...succeedingSecret(opened, { at, isRevoked }), role: options.role };
        await writeIdentity(path, changed);
        return identityFrom(changed);
      },
      announce: (control) => replaceFile(join(path, holderFile), JSON.stringify({ ...holder, ...control })),
      [Symbol.asyncDispose]: async () => {
        // The folder may have been moved away, and another process may hold its place.
        if ((await readHolder(path))?.pid === process.pid) await rm(join(path, holderFile), { force: true });
        await close();
        await store[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await close();
    await database[Symbol.asyncDispose]();
    if (error instanceof GarnerError) throw error;
    throw unreadable(path, reasonOf(error), error);
  }
}
