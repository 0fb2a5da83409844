import { sameBytes } from '../../awareness/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { decodeObject, digestOf, type Oid, oidOf } from '../../soif/index.ts';
import { sourcesAmong } from '../changes/index.ts';
import type { DatabaseReader } from '../database/index.ts';
import { decodeLogRow, decodeMeta, expiresAtMs, keys, type ObjectMeta } from '../rows/index.ts';
import type { Fault } from './findings.ts';

/** The decoded value of a row, or undefined when it cannot be read. */
export function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (isGarnerError(error) || error instanceof RangeError) return undefined;
    throw error;
  }
}

export interface CheckedObject {
  readonly oid: Oid;
  readonly meta: ObjectMeta | undefined;
  readonly faults: readonly Fault[];
}

function bodyFault(meta: ObjectMeta, body: Uint8Array | undefined): string | undefined {
  if (body === undefined) return 'has no summary';
  if (body.length !== meta.bodyBytes) return 'has a summary of another length';
  const object = readable(() => decodeObject(body));
  if (object === undefined) return 'has a summary that cannot be read';
  return sameBytes(digestOf(object), meta.digest)
    ? undefined
    : 'has another summary than the one that was stored';
}

/** Check every row of these objects; absent objects are left out. */
export async function checkObjects(
  reader: DatabaseReader,
  oids: readonly Oid[],
): Promise<readonly CheckedObject[]> {
  const rows = await reader.getMany(oids.map(keys.meta));
  const there = oids.flatMap((oid, i) => {
    const row = rows[i];
    return row === undefined ? [] : [{ oid, meta: readable(() => decodeMeta(row)) }];
  });
  const known = there.flatMap(({ oid, meta }) => (meta === undefined ? [] : [{ oid, meta }]));
  const [bodies, logs, expiries] = await Promise.all([
    reader.getMany(known.map(({ oid }) => keys.body(oid))),
    reader.getMany(known.map(({ meta }) => keys.log(meta.lsn))),
    reader.getMany(known.map(({ oid, meta }) => keys.expiry(expiresAtMs(meta), oid))),
  ]);
  const claims = known.flatMap(({ oid, meta }) =>
    sourcesAmong(meta.partitions).map((partition) => ({ oid, partition })),
  );
  const members = await reader.getMany(claims.map(({ oid, partition }) => keys.member(partition, oid)));
  const unfounded = claims.filter((_, i) => members[i] === undefined);
  const at = new Map(known.map(({ oid }, i) => [oid, i]));
  return there.map(({ oid, meta }): CheckedObject => {
    if (meta === undefined)
      return {
        oid,
        meta,
        faults: [{ kind: 'object', oid, what: `object ${oid} has a row that cannot be read` }],
      };
    const i = at.get(oid) as number;
    const [body, log] = [bodies[i], logs[i]];
    const faults: Fault[] = [];
    const isOwn = oidOf(meta.publisher, meta.url) === oid;
    const wrong = isOwn ? bodyFault(meta, body) : 'has the URL or the publisher of another';
    if (wrong !== undefined) faults.push({ kind: 'object', oid, what: `object ${oid} ${wrong}` });
    const logged = log === undefined ? undefined : readable(() => decodeLogRow(log));
    if (logged?.oid !== oid || logged.kind === 'delete')
      faults.push({ kind: 'order', oid, what: `object ${oid} is not in the log at ${meta.lsn}` });
    if (expiries[i] === undefined)
      faults.push({ kind: 'order', oid, what: `object ${oid} is not in the order of expiry` });
    for (const claim of unfounded)
      if (claim.oid === oid)
        faults.push({
          ...claim,
          kind: 'claim',
          what: `object ${oid} counts on a copy that does not have it`,
        });
    return { oid, meta, faults };
  });
}
