import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { CacheAnswer } from '../requests/index.ts';
import { Fields, type RawFields, urlOfKey } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';
import { AccessRules } from './access.ts';
import { isOfFront } from './forwarding-fields.ts';
import type { RequestHead } from './request-head.ts';

export interface PurgingOptions {
  /** Addresses as `AccessList` reads them, `peers`, and `token` for valid tokens; PURGE is off when empty. */
  readonly from: readonly string[];
  readonly isPeer: (address: string) => boolean;
  /** Whether this token permits a purge; may throw an error, which is answered. */
  readonly knows: (token: string) => Promise<boolean>;
  /** Remove responses, or make them stale; returns their number. */
  readonly purge: (target: PurgeTarget, options: { readonly soft: boolean }) => Promise<number>;
}

const token = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Whether it came through another server, so that the connection's address is not the client's. */
const isForwarded = (raw: RawFields) => raw.some((text, at) => at % 2 === 0 && isOfFront(text));

/** The method PURGE, by which publishing systems make an accelerator forget changed pages. */
export class Purging {
  readonly #options: PurgingOptions;
  readonly #sources: AccessRules;
  readonly #byToken: boolean;

  /** Throws LINES_ACCESS for an invalid source. */
  constructor(options: PurgingOptions) {
    const from = options.from.filter((entry) => entry !== 'token');
    this.#options = options;
    this.#byToken = from.length < options.from.length;
    this.#sources = new AccessRules(
      [...(from.length > 0 ? [{ allow: true, from }] : []), { allow: false }],
      options.isPeer,
    );
  }

  /**
   * Purge the URL of a request in every variant, or with `*` at its end all URLs with that prefix. `raw` has
   * all its fields as received. Throws CACHE_PURGE_OFF, CACHE_PURGE_FORBIDDEN, CACHE_PURGE_TOKEN.
   */
  async answer(head: RequestHead, from: string, raw: RawFields): Promise<CacheAnswer> {
    const fields = new Fields(head.fields);
    // By Connection a client can make a field hop-by-hop: such fields too show a server in front.
    await this.#check(from, fields, isForwarded(raw));
    const url = urlOfKey(head.key);
    const target = url.endsWith('*') ? { prefix: url.slice(0, -1) } : { url };
    const soft = [fields.get('soft-purge'), fields.get('fastly-soft-purge')].includes('1');
    const purged = await this.#options.purge(target, { soft });
    const content = Buffer.from(`${JSON.stringify({ purged, soft })}\n`);
    const sent = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];
    return { status: 200, reason: 'OK', fields: sent, content, contentLength: content.length };
  }

  async #check(from: string, fields: Fields, isForwarded: boolean): Promise<void> {
    if (this.#options.from.length === 0) throw failure(cacheErrors.CACHE_PURGE_OFF, {});
    const question = { from, method: 'PURGE', host: '', port: 0 };
    if (!isForwarded && (await this.#sources.admits(question, 'proxy'))) return;
    if (!this.#byToken) throw failure(cacheErrors.CACHE_PURGE_FORBIDDEN, {});
    const [, shown] = token.exec(fields.get('authorization') ?? '') ?? [];
    if (shown === undefined || !(await this.#options.knows(shown)))
      throw failure(cacheErrors.CACHE_PURGE_TOKEN, {});
  }
}
