import {
  fetchErrors,
  type GopherAccess,
  type GopherItem,
  gopherErrors,
  gopherPlace,
  gopherUrl,
} from '../../../fetch/index.ts';
import { type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { type Leaf, LeafReader, type LeafReaderOptions } from '../leaves/leaf-reader.ts';
import type { Refusal, ScopeRule, ScopeRun } from '../scope-rule.ts';
import { UrlSet } from '../web/url-set.ts';

export interface GopherEnumeratorOptions {
  /** The root's URL is that of a menu or of one item. */
  readonly rule: ScopeRule;
  readonly client: GopherAccess;
  readonly maxBytes?: number;
}

/** Item types of documents: text, BinHex, DOS binary, uuencoded, binary, GIF, other image, HTML. */
const documentTypes: ReadonlySet<string> = new Set(['0', '4', '5', '6', '9', 'g', 'I', 'h']);

/** Item types that are only shown: lines for people, and errors. */
const shownTypes: ReadonlySet<string> = new Set(['i', '3']);

/** Defects of the menus of a run. */
interface Missed {
  /** The error of a menu that could not be read. */
  error?: GarnerError;
  /** A menu came without its last line, and may have been longer. */
  unended?: boolean;
}

const maxDepth = 64;
const maxMenus = 1_000_000;

/** After this many unreadable menus in a row, the server is at fault. */
const maxFailures = 5;

/** Enumerates a Gopher server from a menu, breadth first; without dates, the MD5 of a document decides. */
export class GopherEnumerator implements Enumerator {
  readonly #options: GopherEnumeratorOptions;
  readonly #root: string;

  /** Throws FETCH_BAD_URL. */
  constructor(options: GopherEnumeratorOptions) {
    this.#options = options;
    const place = gopherPlace(options.rule.root.url);
    this.#root = gopherUrl(place) ?? options.rule.root.url;
  }

  async *enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const scope = this.#options.rule.begin();
    const delayMs = this.#delayMs;
    const reader = new LeafReader({ ...this.#leafOptions(memory), delayMs, scope, signal });
    const missed: Missed = {};
    yield* reader.read(this.#leaves(scope, missed, signal));
    const { error, unended } = missed;
    const unmet = this.#unmet(memory, reader);
    // Documents that an unreadable menu may name are not deleted.
    if (error !== undefined)
      for await (const { url } of unmet) yield { url, depth: 0, kind: 'failed', error };
    // Documents that a menu without its last line may name are requested.
    else if (unended) yield* reader.read(unmet);
  }

  get #delayMs(): number {
    return (this.#options.rule.root.delaySeconds ?? 0) * 1000;
  }

  /** Known documents of the server that were not yielded. */
  async *#unmet(memory: EnumerationMemory, reader: LeafReader): AsyncGenerator<Leaf> {
    const host = gopherUrl({ ...gopherPlace(this.#root), type: '1', selector: '', search: undefined });
    for await (const url of memory.known?.(host) ?? []) if (!reader.met(url)) yield { url, depth: 0 };
  }

  async decide(url: string): Promise<ScopeVerdict> {
    try {
      const place = gopherPlace(url);
      const rule = this.#leftOut({ ...place, label: '' });
      return rule
        ? { url, included: false, ...rule }
        : await this.#options.rule.verdict(gopherUrl(place) ?? url);
    } catch (error) {
      if (isGarnerError(error, fetchErrors.FETCH_BAD_URL))
        return { url, included: false, rule: error.message };
      throw error;
    }
  }

  #leafOptions(memory: EnumerationMemory): LeafReaderOptions {
    const { client, maxBytes = 64 * 1024 * 1024 } = this.#options;
    return { fetch: client.fetch, memory, maxBytes, concurrency: 2 };
  }

  /** Menus are read here, alternating with their documents. */
  async *#leaves(
    scope: ScopeRun,
    missed: Missed,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Leaf | Enumerated> {
    const { client, rule } = this.#options;
    if (gopherPlace(this.#root).type !== '1') return yield { url: this.#root, depth: 0 };
    const met = new UrlSet();
    met.add(this.#root);
    const menus = [{ url: this.#root, depth: 0 }];
    let failures = 0;
    for (let menu = menus.shift(); menu !== undefined; menu = menus.shift()) {
      signal?.throwIfAborted();
      const { url: from, depth } = menu;
      let items: readonly GopherItem[];
      try {
        const read = await client.menu(from, signal, this.#delayMs);
        items = read.items;
        missed.unended ||= !read.ended;
        if (read.cut)
          yield {
            url: from,
            depth,
            kind: 'skipped',
            rule: `no more than ${items.length} items of a menu`,
            limit: true,
          };
        failures = 0;
      } catch (error) {
        signal?.throwIfAborted();
        failures += 1;
        if (!isGarnerError(error) || depth === 0 || !isOfThisMenu(error) || failures > maxFailures)
          throw error;
        missed.error = error;
        yield { url: from, depth, kind: 'failed', error };
        continue;
      }
      const below: { url: string; depth: number }[] = [];
      for (const item of items) {
        if (shownTypes.has(item.type)) continue;
        const url = gopherUrl(item);
        if (url === undefined || !met.add(url)) continue;
        const isMenu = item.type === '1';
        const refusal = this.#leftOut(item) ?? (isMenu ? menuRefusal(scope, depth + 1) : undefined);
        const at = { url, depth: depth + 1, discoveredFrom: from };
        if (refusal) yield { ...at, kind: 'skipped', ...refusal };
        else if (!isMenu) yield { url, depth: depth + 1, from };
        else if (menus.length + below.length < maxMenus) below.push({ url, depth: depth + 1 });
        else yield { ...at, kind: 'skipped', rule: `no more than ${maxMenus} menus`, limit: true };
      }
      if (rule.root.search === 'depth') menus.unshift(...below);
      else menus.push(...below);
    }
  }

  /** The rule that leaves out an item by its type and address; undefined when none does. */
  #leftOut({ type, selector, hostname, port }: GopherItem): Refusal | undefined {
    const own = gopherPlace(this.#root);
    if (/^(?:GET |URL:|\/URL:)/i.test(selector)) return { rule: 'a link to another scheme is not followed' };
    if (type !== '1' && !documentTypes.has(type)) return { rule: `items of type ${type} are no documents` };
    if (hostname !== own.hostname || port !== own.port)
      return { rule: `same host as gopher://${own.hostname}:${own.port}` };
    const names = selector.split('/');
    if (names.includes('..')) return { rule: 'its selector leads upwards' };
    if (names.some((name) => name.startsWith('.'))) return { rule: 'its name begins with a dot' };
    return undefined;
  }
}

function menuRefusal(scope: ScopeRun, depth: number): Refusal | undefined {
  return depth > maxDepth ? { rule: `deeper than ${maxDepth} menus` } : scope.enters(depth + 1);
}

/** Whether only this menu is at fault, not the server. */
function isOfThisMenu(error: unknown): boolean {
  const { FETCH_TOO_LARGE, FETCH_INTERRUPTED, FETCH_TIMEOUT } = fetchErrors;
  const kinds = [FETCH_TOO_LARGE, FETCH_INTERRUPTED, FETCH_TIMEOUT, gopherErrors.FETCH_GOPHER_MENU];
  return kinds.some((kind) => isGarnerError(error, kind));
}
