import type { RawFields } from './fields/fields.ts';

/** The stored part of a response beside its content; the fields of answers are computed from it. */
export interface StoredHead {
  /** The effective request URI (RFC 9110 7.1), normalised. */
  readonly url: string;
  readonly status: number;
  readonly reason: string;
  /** The fields as received, without connection fields. */
  readonly fields: RawFields;
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
  /** The fields of the request that Vary names, normalised, sorted by name; empty without Vary. */
  readonly selecting: RawFields;
  /** The request had Authorization: RFC 9111 3.5 governs its reuse. */
  readonly authorized: boolean;
}
