import { Attributes, attributeText, type Oid, type ServerId, type SummaryObject } from '../../soif/index.ts';
import { type DataFolder, serverOf } from '../../store/index.ts';
import type { ObjectTable } from './object-table.ts';

/** A server by which an object has come. Only direct sources have a known name. */
export interface NamedServer {
  readonly serverId: ServerId;
  readonly name: string | null;
}

export interface ObjectOrigin {
  /** The server that made and signed it. */
  readonly publisher: NamedServer;
  /** Every server by which it came, its publisher first, the source it was collected from last. */
  readonly path: readonly NamedServer[];
  /** The sources that offer it, the one that it counts for first. */
  readonly sources: readonly NamedServer[];
}

/** The origin of an object, or undefined when it is not stored. */
export async function originOf(
  { store }: Pick<DataFolder, 'store'>,
  table: ObjectTable,
  oid: Oid,
  object: SummaryObject,
): Promise<ObjectOrigin | undefined> {
  const [stored, described, [source]] = await Promise.all([
    store.get(oid),
    store.describe(oid),
    store.pathsOf([oid]),
  ]);
  if (stored === undefined || described === undefined || source === undefined) return undefined;
  const { publisher } = stored;
  const own = attributeText(object, Attributes.gathererName) ?? null;
  const named = (serverId: ServerId): NamedServer => {
    const known = table.source(serverId)?.name ?? null;
    return { serverId, name: known ?? (serverId === publisher ? own : null) };
  };
  const names = new Map([...store.partitions].map(([name, number]) => [number, serverOf(name)]));
  return {
    publisher: named(publisher),
    path: [...source.path].reverse().map(named),
    sources: described.partitions.flatMap((number) => {
      const name = names.get(number);
      return name === undefined ? [] : [named(name)];
    }),
  };
}

/** The source that an object counts for: the first that offered it. */
export function sourceOf(folder: DataFolder, partitions: readonly number[]): string {
  const first = partitions[0];
  for (const [name, number] of folder.store.partitions) if (number === first) return name;
  return folder.identity.serverId;
}
