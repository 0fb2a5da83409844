import type { UpstreamResponse } from '../requests/index.ts';
import {
  type ContentPart,
  combinable,
  combinedRange,
  Fields,
  headAfter304,
  type StoredHead,
} from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';

/**
 * Combine an incoming part with a stored one (RFC 9111 3.4), and store the result. Undefined, with nothing
 * read, when that is impossible or there is no room.
 */
export async function joined(
  store: EntryStore,
  entry: Entry,
  incoming: { readonly head: StoredHead; readonly part: ContentPart; readonly response: UpstreamResponse },
): Promise<Entry | undefined> {
  const { part } = incoming;
  if (entry.part === undefined) return undefined;
  const ours = { head: entry.head, total: entry.part.total };
  if (!combinable(ours, { head: incoming.head, total: part.total })) return undefined;
  const both = combinedRange(entry.part, part);
  if (both === undefined) return undefined;
  const complete = both.first === 0 && both.last === part.total - 1;
  const writer = store.write({
    key: entry.key,
    // A 206 to If-Range may omit known fields (RFC 9110 15.3.7): it updates the stored head (RFC 9111 3.4).
    head: headAfter304(entry.head, new Fields(incoming.head.fields), incoming.head),
    length: both.last - both.first + 1,
    tags: entry.tags,
    ...(!complete && { part: { ...both, total: part.total } }),
  });
  if (writer === undefined) return undefined;
  try {
    const before = { first: entry.part.first, last: Math.min(entry.part.last, part.first - 1) };
    const after = { first: Math.max(entry.part.first, part.last + 1), last: entry.part.last };
    const sources = [
      ...(before.first <= before.last ? [store.read(entry, before)] : []),
      incoming.response.content as AsyncIterable<Uint8Array>,
      ...(after.first <= after.last ? [store.read(entry, after)] : []),
    ];
    for (const source of sources)
      for await (const piece of source) if (!(await writer.append(piece))) throw new Error('no room');
    const made = await writer.commit();
    if (made === undefined) throw new Error('no room');
    return made;
  } catch (error) {
    writer.abort();
    incoming.response.content.destroy();
    throw error;
  }
}
