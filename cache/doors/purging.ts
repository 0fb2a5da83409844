import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { CacheAnswer } from '../requests/index.ts';
import { Fields, type RawFields, urlOfKey } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';
import { AccessRules } from './access.ts';
import { isHandingOn } from './forwarding-fields.ts';
import type { RequestHead } from './request-head.ts';

export interface PurgingOptions {
  /** Addresses and networks as `AccessList` reads them, `peers`, and `token` for whoever shows one; PURGE is off when empty. */
  readonly from: readonly string[];
  readonly isPeer: (address: string) => boolean;
  /** Whether somebody with this token may purge; may throw an error that is answered. */
  readonly knows: (token: string) => Promise<boolean>;
  /** Forget, or keep to be validated; gives how many responses. */
  readonly purge: (target: PurgeTarget, options: { readonly soft: boolean }) => Promise<number>;
}

const token = /^Bearer +([\x21-\x7e]{1,512})$/i;

/** Whether it came through another server: whose address that is says nothing of who asks. */
const isHandedOn = (raw: RawFields) => raw.some((text, at) => at % 2 === 0 && isHandingOn(text));

/** The method PURGE, by which the publishing systems of many have an accelerator forget what they changed. */
export class Purging {
  readonly #options: PurgingOptions;
  readonly #sources: AccessRules;
  readonly #byToken: boolean;

  /** Throws LINES_ACCESS for what is no source. */
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
   * Forget what a request names: its URL in every variant, or with `*` at its end all that begins so. `raw` is all of its
   * fields as they were received. Throws CACHE_PURGE_OFF, CACHE_PURGE_FORBIDDEN,
   * CACHE_PURGE_TOKEN.
   */
  async answer(head: RequestHead, from: string, raw: RawFields): Promise<CacheAnswer> {
    const fields = new Fields(head.fields);
    // With Connection a client can have a field taken for one of this hop alone: those too tell of a server in front.
    await this.#check(from, fields, isHandedOn(raw));
    const url = urlOfKey(head.key);
    const target = url.endsWith('*') ? { prefix: url.slice(0, -1) } : { url };
    const soft = [fields.get('soft-purge'), fields.get('fastly-soft-purge')].includes('1');
    const purged = await this.#options.purge(target, { soft });
    const content = Buffer.from(`${JSON.stringify({ purged, soft })}\n`);
    const told = ['Content-Type', 'application/json', 'Cache-Control', 'no-store'];
    return { status: 200, reason: 'OK', fields: told, content, contentLength: content.length };
  }

  async #check(from: string, fields: Fields, isFromAfar: boolean): Promise<void> {
    if (this.#options.from.length === 0) throw failure(cacheErrors.CACHE_PURGE_OFF, {});
    const question = { from, method: 'PURGE', host: '', port: 0 };
    if (!isFromAfar && (await this.#sources.admits(question, 'proxy'))) return;
    if (!this.#byToken) throw failure(cacheErrors.CACHE_PURGE_FORBIDDEN, {});
    const [, shown] = token.exec(fields.get('authorization') ?? '') ?? [];
    if (shown === undefined || !(await this.#options.knows(shown)))
      throw failure(cacheErrors.CACHE_PURGE_TOKEN, {});
  }
}
