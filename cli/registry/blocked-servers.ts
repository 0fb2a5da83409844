import type { Broker } from '../../broker/index.ts';
import type { Candidate } from '../../registry/index.ts';
import { oidOf } from '../../soif/index.ts';

const pageSize = 1000;

/**
 * Whether a Registry's operator keeps a description out: it was deleted, or for good its server or its URL was. The id of
 * a blocked object says whose it is, together with its URL.
 */
export async function isBlockedServer(
  { blocks }: Broker['orders'],
  { publisher, url, digest }: Candidate,
): Promise<boolean> {
  if (blocks.count === 0) return false;
  if (await blocks.keepsOut(oidOf(publisher, url), digest)) return true;
  let after: string | undefined;
  let isLast = false;
  while (!isLast) {
    const page = await blocks.list(pageSize, after);
    for (const block of page)
      if (block.isForGood && (block.url === url || oidOf(publisher, block.url) === block.oid)) return true;
    after = page.at(-1)?.oid;
    isLast = page.length < pageSize;
  }
  return false;
}
