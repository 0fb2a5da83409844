import type { Refusal, Scheme, VectorScheme } from './scheme.ts';
import type { StoreModel } from './source.ts';

/** A client's tolerance beside equality with the store. */
export interface ClientManner {
  /** Deleted objects may stay until somebody finds them missing (paper, section 5.2, lazy deletion). */
  readonly lazyDeletion?: boolean;
}

function vectorReason(scheme: VectorScheme, model: StoreModel, client: ClientManner): string | undefined {
  const { selects, compresses, forgets } = scheme;
  // A shadow update removes the old object like a deletion.
  const vanishing = model.deletes || model.updates === 'shadow';
  if (selects === 'newest') return model.log ? undefined : 'the store keeps no order of its changes';
  if (selects === 'later-numbers' && !model.log) return 'the store keeps no log';
  if (selects === 'later-stamps' && !model.monotoneStamps)
    return 'a timestamp that is not later than every earlier one hides its change';
  if (selects !== 'everything' && forgets === 'tombstone' && vanishing && !model.tombstones)
    return 'without tombstones a deletion leaves nothing to learn from';
  if (selects !== 'everything' && forgets === 'lazily' && vanishing && client.lazyDeletion !== true)
    return 'a deletion leaves no timestamp, and this client does not tolerate late deletion';
  if (selects === 'everything' && compresses === 'handle') {
    if (model.updates === 'in-place') return 'a handle alone does not show an update in place';
    if (model.handleReuse) return 'a handle that is used again hides that its object is another one';
  }
  return undefined;
}

/**
 * Refuse a scheme that could lose a change on a store of this kind: the paper's Limitations (tables of section 5.5
 * and of section 6) as code. Undefined when it is sound.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { schemes, sound } from 'garner/awareness';
 *
 * // A store without a log whose deleted objects leave nothing behind.
 * const left = schemes.filter((scheme) => {
 *   const refusal = sound(scheme, {
 *     ...{ updates: 'in-place', deletes: true, handleReuse: false, handles: 'arbitrary' },
 *     ...{ monotoneStamps: true, tombstones: false, log: false },
 *   });
 *   return refusal === undefined;
 * });
 * assert.ok(left.some(({ name }) => name === 'signature') && !left.some(({ name }) => name === 'timestamp'));
 */
export function sound(scheme: Scheme, model: StoreModel, client: ClientManner = {}): Refusal | undefined {
  let reason: string | undefined;
  if (scheme.refines === 'nothing') reason = vectorReason(scheme, model, client);
  else if (scheme.refines === 'groups' && scheme.compresses === 'latest-stamp') {
    if (model.deletes || model.updates === 'shadow')
      reason = 'the latest timestamp of a group stays when another of its objects is deleted';
    else if (!model.monotoneStamps) reason = 'an early timestamp is hidden by the latest of its group';
  }
  return reason === undefined ? undefined : { scheme: scheme.name, reason };
}
