const listKey = 'garner.recent-searches';
const offKey = 'garner.recent-searches-off';
const maxSearches = 8;
const maxLength = 200;

/** The reader's last searches: in this browser only, never sent, and off on request. */
export class RecentSearches {
  readonly #storage: Storage | undefined;

  /** `isAllowed`: whether the operator lets pages keep them. What was kept before is removed otherwise. */
  constructor(isAllowed: boolean) {
    const storage = storageOf();
    if (!isAllowed) storage?.removeItem(listKey);
    this.#storage = isAllowed ? storage : undefined;
  }

  /** False where nothing can be kept. */
  get isPossible(): boolean {
    return this.#storage !== undefined;
  }

  get isOn(): boolean {
    return this.isPossible && this.#storage?.getItem(offKey) === null;
  }

  /** Newest first. */
  get list(): readonly string[] {
    try {
      const kept: unknown = JSON.parse(this.#storage?.getItem(listKey) ?? '[]');
      if (!Array.isArray(kept)) return [];
      return kept.filter((one): one is string => typeof one === 'string').slice(0, maxSearches);
    } catch {
      return [];
    }
  }

  add(query: string): void {
    const added = query.replace(/\s+/g, ' ').trim();
    if (!this.isOn || added === '' || added.length > maxLength) return;
    const list = [added, ...this.list.filter((one) => one !== added)].slice(0, maxSearches);
    this.#set(listKey, JSON.stringify(list));
  }

  forget(): void {
    this.#storage?.removeItem(listKey);
  }

  /** Keep them from now on, or forget them and keep none. */
  turn(on: boolean): void {
    if (on) this.#storage?.removeItem(offKey);
    else {
      this.forget();
      this.#set(offKey, '1');
    }
  }

  #set(key: string, value: string): void {
    try {
      this.#storage?.setItem(key, value);
    } catch {
      // The storage is full: nothing is kept then.
    }
  }
}

function storageOf(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    // The reader forbids storage.
    return undefined;
  }
}
