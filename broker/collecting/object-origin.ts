import { Attributes, attributeText, type Oid, type ServerId, type SummaryObject } from '../../soif/index.ts';
import { type DataFolder, serverOf } from '../../store/index.ts';
import type { ObjectTable } from './object-table.ts';

/** A server by which an object has come; what it calls itself is known of direct sources alone. */
export interface NamedServer {
  readonly serverId: ServerId;
  readonly name: string | null;
}

/** Where an object comes from. */
export interface ObjectOrigin {
  /** Who made and signed it. */
  readonly publisher: NamedServer;
  /** Every server by which it came here, its publisher first and the source it was collected from last. */
  readonly path: readonly NamedServer[];
  /** The sources that offer it here, the one it counts for first. */
  readonly sources: readonly NamedServer[];
}

/** Where an object that is here comes from, or undefined when it is not here. */
export async function originOf(
  { store }: Pick<DataFolder, 'store'>,
  table: ObjectTable,
  oid: Oid,
  object: SummaryObject,
): Promise<ObjectOrigin | undefined> {
  const [stored, described, [told]] = await Promise.all([
    store.get(oid),
    store.describe(oid),
    store.pathsOf([oid]),
  ]);
  if (stored === undefined || described === undefined || told === undefined) return undefined;
  const { publisher } = stored;
  const own = attributeText(object, Attributes.gathererName) ?? null;
  const named = (serverId: ServerId): NamedServer => {
    const known = table.source(serverId)?.name ?? null;
    return { serverId, name: known ?? (serverId === publisher ? own : null) };
  };
  const names = new Map([...store.partitions].map(([name, number]) => [number, serverOf(name)]));
  return {
    publisher: named(publisher),
    path: [...told.path].reverse().map(named),
    sources: described.partitions.flatMap((number) => {
      const name = names.get(number);
      return name === undefined ? [] : [named(name)];
    }),
  };
}
