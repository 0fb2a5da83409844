import { createHash } from 'node:crypto';

const longest = 512;

/** What stands for a URL where thousands are remembered: long ones by a hash, so that nobody fills the memory with them. */
export function urlKey(url: string): string {
  return url.length <= longest ? url : `#${createHash('sha256').update(url).digest('base64')}`;
}
