import type { RawFields } from './fields/raw-fields.ts';

/** What is kept of a response beside its content; what is served from a store is computed from this. */
export interface StoredHead {
  /** The effective request URI (RFC 9110 7.1), normalised. */
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  /** The fields as received, without those of the connection. */
  readonly fields: RawFields;
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
  /** The fields of the request that Vary names, normalised, sorted by name; empty without Vary. */
  readonly selecting: RawFields;
  /** The request bore Authorization: reuse is governed by RFC 9111 3.5. */
  readonly authorized: boolean;
}
