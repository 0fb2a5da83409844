import type { ServerId } from '../soif/index.ts';
import type { Keyring } from './keyring.ts';
import { keysField } from './object-items.ts';

/** Names the keys of those whose objects a server passes on, each once to a channel, beside their first object. */
export class KeyAnnouncements {
  readonly #keyring: Pick<Keyring, 'keyOf'> | undefined;
  readonly #told: Set<ServerId>;

  constructor(keyring: Pick<Keyring, 'keyOf'> | undefined, speaker: ServerId) {
    this.#keyring = keyring;
    this.#told = new Set([speaker]);
  }

  /** The field of a message that has objects of these publishers; none when all are known to the reader. */
  async of(publishers: Iterable<ServerId>): Promise<{ readonly keys?: Uint8Array }> {
    const keys: [ServerId, Uint8Array][] = [];
    for (const publisher of publishers) {
      if (this.#told.has(publisher)) continue;
      this.#told.add(publisher);
      const key = await this.#keyring?.keyOf(publisher);
      if (key !== undefined) keys.push([publisher, key]);
    }
    return keys.length === 0 ? {} : { keys: keysField(keys) };
  }
}
