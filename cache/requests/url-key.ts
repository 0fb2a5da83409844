import { createHash } from 'node:crypto';

const maxLength = 512;

/** The key of a URL in tables of thousands: long URLs are hashed, so that no client fills the memory. */
export function urlKey(url: string): string {
  return url.length <= maxLength ? url : `#${createHash('sha256').update(url).digest('base64')}`;
}
