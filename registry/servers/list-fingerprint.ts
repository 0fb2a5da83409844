import { createHash } from 'node:crypto';
import { SetFingerprint } from '../../awareness/index.ts';
import type { Oid } from '../../soif/index.ts';

/**
 * A fingerprint of the descriptions of a directory: equal in all Registries that list the same ones. It does not change
 * with a renewal. That of the store differs from store to store.
 */
export class ListFingerprint {
  readonly #elements = new Map<Oid, Uint8Array>();
  #sum = new SetFingerprint();

  put(id: Oid, digest: Uint8Array): void {
    this.delete(id);
    const element = createHash('sha256').update(id).update(digest).digest();
    this.#elements.set(id, element);
    this.#sum.add(element);
  }

  delete(id: Oid): void {
    const element = this.#elements.get(id);
    if (element === undefined) return;
    this.#elements.delete(id);
    this.#sum.remove(element);
  }

  clear(): void {
    this.#elements.clear();
    this.#sum = new SetFingerprint();
  }

  digest(): Uint8Array {
    return this.#sum.digest();
  }
}
