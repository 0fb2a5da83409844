import type { KeyLink, ServerId } from '../soif/index.ts';
import type { Keyring } from './keyring.ts';
import { keysField, linksField } from './object-items.ts';

/** Sends the keys of the publishers whose objects are passed on, and the links that led to them, each once a channel. */
export class KeyAnnouncements {
  readonly #keyring: Pick<Keyring, 'keyOf' | 'successionOf'> | undefined;
  readonly #sent: Set<ServerId>;

  constructor(keyring: Pick<Keyring, 'keyOf' | 'successionOf'> | undefined, speaker: ServerId) {
    this.#keyring = keyring;
    this.#sent = new Set([speaker]);
  }

  /** The fields for a message with objects of these publishers; empty when the reader knows all keys. */
  async of(
    publishers: Iterable<ServerId>,
  ): Promise<{ readonly keys?: Uint8Array; readonly links?: Uint8Array }> {
    const keys: [ServerId, Uint8Array][] = [];
    const links: [ServerId, readonly KeyLink[]][] = [];
    for (const publisher of publishers) {
      if (this.#sent.has(publisher)) continue;
      this.#sent.add(publisher);
      const key = await this.#keyring?.keyOf(publisher);
      if (key !== undefined) keys.push([publisher, key]);
      const succession = await this.#keyring?.successionOf?.(publisher);
      if (succession !== undefined) links.push([publisher, succession.links]);
    }
    if (keys.length === 0) return {};
    // The links need no signature of this server: they hold by their own.
    return { keys: keysField(keys), ...(links.length > 0 && { links: linksField(links) }) };
  }
}
