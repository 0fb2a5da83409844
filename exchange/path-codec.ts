import { bytesOfHandle, handleBytes, handleFrom, type Lsn, maxHops, type Path } from '../awareness/index.ts';
import { type ByteReader, ByteWriter } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { bad, bytesField, countField, fieldReader, recordsField, serverIdBytes } from './fields.ts';
import { epochTagBytes } from './state-codec.ts';

// Paths are sent in groups: servers by their place in a list, then the objects that came by them. An empty list of
// servers is the usual path: from its publisher straight to the source.

const serverBytes = 16;
export const pathsStep = 512;

/** The path of one object in a message: empty for the usual one. */
export interface PathItem {
  readonly handle: ReturnType<typeof handleFrom>;
  readonly path: Path;
}

/** A client's question: the paths of everything that changed after a marker. */
export interface PathsQuestion {
  readonly tag: Uint8Array | undefined;
  readonly since: Lsn;
  readonly filter: string | undefined;
}

export function pathsMessage({ tag, since, filter }: PathsQuestion): Message {
  return { type: 'paths', since, ...(tag && { tag }), ...(filter === undefined ? {} : { filter }) };
}

export function readPathsQuestion({ type, tag, since, filter }: Message): PathsQuestion {
  if (filter !== undefined && typeof filter !== 'string') bad(type, 'has no valid filter');
  return {
    tag: tag === undefined ? undefined : bytesField(tag, type, 'tag', epochTagBytes),
    since: countField(since, type, 'since'),
    filter: filter as string | undefined,
  };
}

/** The question as both sides hash it before the signed answer. */
export function pathsQuestionBytes({ tag, since, filter }: PathsQuestion): Uint8Array {
  const named = tag === undefined ? null : Buffer.from(tag).toString('hex');
  return Buffer.from(JSON.stringify(['paths', named, since, filter ?? null]));
}

export interface PathFields {
  readonly servers: Uint8Array;
  readonly of: Uint8Array;
}

export function encodePaths(items: readonly PathItem[]): PathFields {
  const servers = new Map<ServerId, number>();
  const groups = new Map<string, { readonly path: Path; readonly handles: Uint8Array[] }>();
  for (const { handle, path } of items) {
    for (const server of path) if (!servers.has(server)) servers.set(server, servers.size);
    const name = path.join();
    const group = groups.get(name) ?? { path, handles: [] };
    group.handles.push(bytesOfHandle(handle));
    groups.set(name, group);
  }
  const writer = new ByteWriter();
  for (const { path, handles } of groups.values()) {
    writer.varint(path.length);
    for (const server of path) writer.varint(servers.get(server) as number);
    writer.varint(handles.length);
    for (const handle of handles) writer.bytes(handle);
  }
  return { servers: Buffer.concat([...servers.keys()].map(serverIdBytes)), of: writer.take() };
}

/** The paths in a message. Throws EXCHANGE_MESSAGE for one that is too long, names a server twice, or the speaker. */
export function decodePaths(message: Message, speaker: ServerId): readonly PathItem[] {
  const { type } = message;
  const joined = recordsField(message.servers, type, 'servers', serverBytes);
  const servers = Array.from({ length: joined.length / serverBytes }, (_, i) => {
    const at = i * serverBytes;
    return Buffer.from(joined.subarray(at, at + serverBytes)).toString('base64url') as ServerId;
  });
  const reader: ByteReader = fieldReader(recordsField(message.of, type, 'of', 1), type);
  const items: PathItem[] = [];
  while (!reader.done) {
    const hops = reader.varint();
    if (hops > maxHops) reader.fail('has a path that is too long');
    const path: ServerId[] = [];
    for (let i = 0; i < hops; i++) {
      const server: ServerId | undefined = servers[reader.varint()];
      if (server === undefined || server === speaker || path.includes(server))
        reader.fail('has no valid path');
      path.push(server);
    }
    const count = reader.varint();
    if (items.length + count > pathsStep) reader.fail('has too many paths');
    for (let i = 0; i < count; i++) items.push({ handle: handleFrom(reader.copy(handleBytes)), path });
  }
  return items;
}
