import type { Clock } from '../../kernel/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Database, ObjectStore } from '../../store/index.ts';

interface LedgerParts {
  readonly database: Database;
  readonly store: Pick<ObjectStore, 'describe'>;
  readonly clock: Clock;
}

const sweepMs = 60_000;
const rowKey = (oid: Oid) => Buffer.from(oid);

/** Which publisher each published object counts for; it outlives a restart. */
export class PublicationLedger {
  readonly #parts: LedgerParts;
  readonly #owners = new Map<Oid, string>();
  readonly #counts = new Map<string, number>();
  readonly #swept = new Map<string, number>();

  private constructor(parts: LedgerParts) {
    this.#parts = parts;
  }

  static async open(parts: LedgerParts): Promise<PublicationLedger> {
    const ledger = new PublicationLedger(parts);
    for await (const [key, value] of parts.database.entries())
      ledger.#set(Buffer.from(key).toString() as Oid, Buffer.from(value).toString());
    return ledger;
  }

  /** Whether one more object of this publisher is within `max`. Expired ones are left out of the count first. */
  async hasRoom(oid: Oid, publisher: string, max: number): Promise<boolean> {
    if (this.#owners.get(oid) === publisher || this.#count(publisher) < max) return true;
    const now = this.#parts.clock.now();
    // A publisher that is full costs one reading of its objects a minute, however often it asks.
    if (now < (this.#swept.get(publisher) ?? Number.NEGATIVE_INFINITY) + sweepMs) return false;
    this.#swept.set(publisher, now);
    for (const [own, owner] of this.#owners)
      if (owner === publisher && (await this.#parts.store.describe(own)) === undefined)
        await this.forget(own);
    return this.#count(publisher) < max;
  }

  async note(oid: Oid, publisher: string): Promise<void> {
    if (this.#owners.get(oid) === publisher) return;
    await this.#parts.database.batch([{ type: 'put', key: rowKey(oid), value: Buffer.from(publisher) }]);
    this.#set(oid, publisher);
  }

  async forget(oid: Oid): Promise<void> {
    if (!this.#owners.has(oid)) return;
    await this.#parts.database.batch([{ type: 'del', key: rowKey(oid) }]);
    this.#set(oid, undefined);
  }

  #count(publisher: string): number {
    return this.#counts.get(publisher) ?? 0;
  }

  #set(oid: Oid, publisher: string | undefined): void {
    const before = this.#owners.get(oid);
    if (before !== undefined) this.#counts.set(before, this.#count(before) - 1);
    if (publisher === undefined) this.#owners.delete(oid);
    else {
      this.#owners.set(oid, publisher);
      this.#counts.set(publisher, this.#count(publisher) + 1);
    }
  }
}
