import {
  bytesOfHandle,
  type Epoch,
  elementId,
  handleOf,
  type SetFingerprint,
  type ShortId,
  shortIdOf,
} from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { SetChange } from '../rows/index.ts';

/** The elements that one step adds to sets and removes from them, for their fingerprints and sketches. */
export class SetElements {
  readonly #sets = new Map<number, { added: ShortId[]; removed: ShortId[] }>();
  readonly #renamed = new Set<number>();

  putIn(set: number, epoch: Epoch, fingerprint: SetFingerprint, oid: Oid, digest: Uint8Array): void {
    const element = elementId(epoch, oid, digest);
    fingerprint.add(element);
    this.#changed(set).added.push(shortIdOf(bytesOfHandle(handleOf(oid)), element));
  }

  takeOut(set: number, epoch: Epoch, fingerprint: SetFingerprint, oid: Oid, digest: Uint8Array): void {
    const element = elementId(epoch, oid, digest);
    fingerprint.remove(element);
    this.#changed(set).removed.push(shortIdOf(bytesOfHandle(handleOf(oid)), element));
  }

  /** The elements of the set get other names: its sketch is useless from now on. */
  rename(set: number): void {
    this.#renamed.add(set);
  }

  /** Sets whose sketch must be dropped with this step. */
  get renamed(): ReadonlySet<number> {
    return this.#renamed;
  }

  /** The changes of the sets whose sketches stay. */
  get changes(): ReadonlyMap<number, SetChange> {
    return new Map([...this.#sets].filter(([set]) => !this.#renamed.has(set)));
  }

  #changed(set: number): { added: ShortId[]; removed: ShortId[] } {
    const known = this.#sets.get(set);
    if (known !== undefined) return known;
    const fresh = { added: [], removed: [] };
    this.#sets.set(set, fresh);
    return fresh;
  }
}
