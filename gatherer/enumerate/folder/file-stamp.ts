import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';

/** The state of a file, and the names beside it where they matter. */
export function stampOf(stats: BigIntStats, beside: readonly string[] = []): string {
  const state = [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino]
    .map((part) => part.toString(36))
    .join('.');
  return beside.length < 2
    ? state : `${state}/${createHash('md5').update(beside.join('/')).digest('base64url')}`;
}

/** The part of a stamp for the files beside one. */
export function marked(stamp = ''): string | undefined {
  return stamp.split('/')[1];
}
