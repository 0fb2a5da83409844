import type { Lsn } from '../../awareness/index.ts';
import { TaskQueue } from '../../kernel/index.ts';
import { Attributes, attributeText, decodeObject } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { ContentFingerprint } from './content-fingerprint.ts';

/** The fingerprint of a store, brought up to date when it is read. */
export class StoreFingerprint {
  readonly #store: Pick<ObjectStore, 'snapshot'>;
  #fingerprint = new ContentFingerprint();
  #lsn: Lsn = 0;
  // Of two readings at once, each would read what the other has not put yet as known.
  readonly #queue = new TaskQueue();

  constructor(store: Pick<ObjectStore, 'snapshot'>) {
    this.#store = store;
  }

  /** The fingerprint as text: reads what changed since the last call, and all objects the first time. */
  read(): Promise<string> {
    return this.#queue.run(async () => {
      await this.#follow();
      if (this.#fingerprint.isWorn) {
        this.#forget();
        await this.#follow();
      }
      return this.#fingerprint.toString();
    });
  }

  #forget(): void {
    this.#fingerprint = new ContentFingerprint();
    this.#lsn = 0;
  }

  async #follow(): Promise<void> {
    await using snapshot = await this.#store.snapshot();
    const { horizon, lsn } = snapshot.state;
    // A tombstone that was removed before it was read may have ended an object.
    if (this.#lsn < horizon) this.#forget();
    for await (const change of snapshot.changesSince(this.#lsn)) {
      if (change.kind === 'delete') this.#fingerprint.delete(change.oid);
      if (change.kind !== 'put') continue;
      const { oid, body } = change.object;
      const md5 = attributeText(decodeObject(body), Attributes.md5);
      if (md5 === undefined) this.#fingerprint.delete(oid);
      else this.#fingerprint.put(oid, md5);
    }
    this.#lsn = lsn;
  }
}
