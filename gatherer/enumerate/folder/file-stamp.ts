import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

/** How a file looks, and what lies beside it where that matters. */
export function stampOf(stats: BigIntStats, beside: readonly string[] = []): string {
  const looks = [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino]
    .map((part) => part.toString(36))
    .join('.');
  return beside.length < 2
    ? looks
    : `${looks}/${createHash('md5').update(beside.join('/')).digest('base64url')}`;
}

/** What a stamp says of the files beside one. */
export function marked(stamp = ''): string | undefined {
  return stamp.split('/')[1];
}
