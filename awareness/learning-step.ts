import type { Oid } from '../soif/index.ts';
import type { Lsn } from './epoch.ts';
import type { Handle } from './handle.ts';
import type { ShortId } from './short-id.ts';
import type { Change } from './source.ts';

/** What the client makes of a vector, in an order in which it can be done at once. */
export type LearningStep =
  /** Do this; it is known whole. */
  | { readonly kind: 'apply'; readonly change: Change }
  /** Ask for this object and learn it. */
  | { readonly kind: 'fetch'; readonly object: Handle | ShortId }
  /** An object is there with this signature, and no more is wanted of it. */
  | { readonly kind: 'note'; readonly handle: Handle; readonly signature: Uint8Array; readonly lsn: Lsn }
  /** Forget this object, or, named by a short id, this version of one. */
  | { readonly kind: 'forget'; readonly object: Handle | ShortId; readonly lsn: Lsn }
  /** Everything up to this sequence number has been told: a run cut here goes on from it. */
  | { readonly kind: 'reached'; readonly lsn: Lsn }
  /** The same for a vector of everything: a run cut here may go on after this place. */
  | { readonly kind: 'passed'; readonly oid: Oid };
