import { createHmac } from 'node:crypto';
import type { ViewChange } from './view-changes.ts';

export interface WebhookMessage {
  readonly view: string;
  /** Older deletions may be missing. Objects not listed here or at /views/NAME/objects have been removed. */
  readonly incomplete: boolean;
  /** Further changes follow in another message. */
  readonly more: boolean;
  /** In the order in which they happened. Of several changes of one object only the last is listed. */
  readonly changes: readonly ViewChange[];
}

const prefix = 'whsec_';

/** A new secret of 32 random bytes, in the form that receivers' libraries read. */
export const newSecret = (random: { bytes(length: number): Uint8Array }): string =>
  prefix + Buffer.from(random.bytes(32)).toString('base64');

/** Headers of the Standard Webhooks convention: HMAC-SHA-256 over id, time (seconds since 1970) and body. */
export function signedHeaders(
  secret: string,
  id: string,
  seconds: number,
  body: Uint8Array,
): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}
