import type { Refusal, Scheme } from './scheme.ts';
import type { Marker, SourceState } from './source.ts';

/** Refuse a scheme that cannot serve this client now. One that `verifies` may miss forgotten deletions. */
export function admissible(
  scheme: Scheme,
  state: SourceState,
  marker: Marker | undefined,
  held: number,
  verifies = false,
): Refusal | undefined {
  const refuse = (reason: string): Refusal => ({ scheme: scheme.name, reason });
  const sameLife = marker?.epoch === state.epoch;
  if (scheme.refines === 'sketch' || (scheme.refines === 'nothing' && scheme.selects === 'newest')) {
    // Elements are keyed by the store's epoch: a client with another epoch has summed up other elements.
    if (held > 0 && !sameLife) return refuse('the client has summed up another life of the store');
    if (scheme.refines === 'nothing' && held > state.count)
      return refuse('the client has more than the store');
    return undefined;
  }
  if (scheme.refines === 'groups' || scheme.selects === 'everything') return undefined;
  // A client that holds nothing cannot miss a deletion: the log from its beginning is the whole store.
  if (held === 0 && (marker === undefined || marker.lsn === 0)) return undefined;
  if (marker === undefined) return refuse('the client has no marker');
  if (!sameLife) return refuse('the marker is of another life of the store');
  if (marker.lsn > state.lsn) return refuse('the marker is ahead of the store');
  if (scheme.forgets === 'tombstone' && marker.lsn < state.horizon && !verifies)
    return refuse('the store has forgotten deletions since the marker');
  return undefined;
}
