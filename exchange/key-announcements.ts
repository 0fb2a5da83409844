import type { ServerId } from '../soif/index.ts';
import type { Keyring } from './keyring.ts';
import { keysField } from './object-items.ts';

/** Sends the keys of the publishers whose objects are passed on, each once a channel. */
export class KeyAnnouncements {
  readonly #keyring: Pick<Keyring, 'keyOf'> | undefined;
  readonly #sent: Set<ServerId>;

  constructor(keyring: Pick<Keyring, 'keyOf'> | undefined, speaker: ServerId) {
    this.#keyring = keyring;
    this.#sent = new Set([speaker]);
  }

  /** The field for a message with objects of these publishers; empty when the reader knows all keys. */
  async of(publishers: Iterable<ServerId>): Promise<{ readonly keys?: Uint8Array }> {
    const keys: [ServerId, Uint8Array][] = [];
    for (const publisher of publishers) {
      if (this.#sent.has(publisher)) continue;
      this.#sent.add(publisher);
      const key = await this.#keyring?.keyOf(publisher);
      if (key !== undefined) keys.push([publisher, key]);
    }
    return keys.length === 0 ? {} : { keys: keysField(keys) };
  }
}
