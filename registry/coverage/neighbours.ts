import type { Oid } from '../../soif/index.ts';
import { equalShare, smallestValues } from './content-fingerprint.ts';
import { Coverage, type Covered, type Places } from './coverage.ts';

interface Described extends Places {
  readonly id: Oid;
  readonly fingerprint: string;
}

/** Of two collections with half of their contents in common, 1 pair in 65,000 has none of these values in common. */
const indexedValues = 16;

const minShare = 0.5;
/** Max fingerprints that are compared in one look: those with the largest number of these values in common. */
const maxCompared = 200;

/** The servers that read the same addresses or have the same contents, found without a look at the others. */
export class Neighbours {
  readonly #coverage = new Coverage();
  readonly #fingerprints = new Map<Oid, string>();
  readonly #byValue = new Map<number, Set<Oid>>();

  put({ id, fingerprint, ...places }: Described): void {
    this.delete(id);
    this.#coverage.put(id, places);
    const values = smallestValues(fingerprint, indexedValues);
    if (values.length === 0) return;
    this.#fingerprints.set(id, fingerprint);
    for (const value of values) {
      const ids = this.#byValue.get(value);
      if (ids === undefined) this.#byValue.set(value, new Set([id]));
      else ids.add(id);
    }
  }

  delete(id: Oid): void {
    this.#coverage.delete(id);
    for (const value of smallestValues(this.#fingerprints.get(id) ?? '', indexedValues)) {
      const ids = this.#byValue.get(value);
      ids?.delete(id);
      if (ids?.size === 0) this.#byValue.delete(value);
    }
    this.#fingerprints.delete(id);
  }

  clear(): void {
    this.#coverage.clear();
    this.#fingerprints.clear();
    this.#byValue.clear();
  }

  /** The servers that gather or collect from the host of an address, the closest first. */
  near(address: string): readonly Covered[] {
    return this.#coverage.of(address);
  }

  /** The servers whose contents are for half or more those of a server, with the estimated share, the closest first. */
  alike(id: Oid): readonly { readonly id: Oid; readonly share: number }[] {
    const own = this.#fingerprints.get(id) ?? '';
    const others = new Map<Oid, number>();
    for (const value of smallestValues(own, indexedValues))
      for (const other of this.#byValue.get(value) ?? []) others.set(other, (others.get(other) ?? 0) + 1);
    others.delete(id);
    return [...others]
      .sort((a, b) => b[1] - a[1])
      .slice(0, maxCompared)
      .map(([other]) => ({ id: other, share: equalShare(own, this.#fingerprints.get(other) ?? '') }))
      .filter(({ share }) => share >= minShare)
      .sort((a, b) => b.share - a.share);
  }
}
