import type { ServerId } from '../soif/index.ts';

/** The servers' Ed25519 public keys: the first that a server showed holds, others' word only until then. */
export interface Keyring {
  keyOf(server: ServerId): Promise<Uint8Array | undefined>;
  /** Remember the key that a server has proven; resolves to false when it proved another one before. */
  learn(server: ServerId, publicKey: Uint8Array): Promise<boolean>;
  /** Remember the key that another server reports of a publisher, unless one is known. */
  introduce(server: ServerId, publicKey: Uint8Array): Promise<void>;
  /**
   * Whether the key that a server has proven took the place of another one, which was reported of it before. Under a
   * keyring that cannot answer, no withdrawal of an object that is not held is believed.
   */
  hasReplaced?(server: ServerId): Promise<boolean>;
  /**
   * Reports an object that is not signed with the known key of its publisher. Where it is present such an object is
   * passed over; without it the round ends with EXCHANGE_UNVERIFIED.
   */
  passOver?(publisher: ServerId, url: string): void;
}

/** A keyring in memory, for as long as the process lives. */
export class MemoryKeyring implements Keyring {
  readonly #proved = new Map<ServerId, Uint8Array>();
  readonly #introduced = new Map<ServerId, Uint8Array>();

  async keyOf(server: ServerId): Promise<Uint8Array | undefined> {
    return this.#proved.get(server) ?? this.#introduced.get(server);
  }

  async learn(server: ServerId, publicKey: Uint8Array): Promise<boolean> {
    const known = this.#proved.get(server) ?? publicKey;
    this.#proved.set(server, known);
    return Buffer.compare(known, publicKey) === 0;
  }

  async introduce(server: ServerId, publicKey: Uint8Array): Promise<void> {
    if ((await this.keyOf(server)) === undefined) this.#introduced.set(server, publicKey);
  }

  async hasReplaced(server: ServerId): Promise<boolean> {
    const [proved, introduced] = [this.#proved.get(server), this.#introduced.get(server)];
    return proved !== undefined && introduced !== undefined && Buffer.compare(proved, introduced) !== 0;
  }
}
