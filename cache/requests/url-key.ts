import { createHash } from 'node:crypto';

const maxLength = 512;

/**
 * The key of a URL in tables of thousands: a long URL is replaced by its hash, so that no client fills the
 * memory with long URLs.
 */
export function urlKey(url: string): string {
  return url.length <= maxLength ? url : `#${createHash('sha256').update(url).digest('base64')}`;
}
