import { failure, isGarnerError } from '../../kernel/index.ts';
import {
  keyed,
  missingFields,
  type Selection,
  StoredContent,
  select,
  withCookies,
} from '../answers/index.ts';
import { cacheErrors } from '../errors.ts';
import {
  type CacheParts,
  type Fetched,
  type FetchParts,
  fetchOnce,
  Invalidations,
  OriginFailures,
  otherVariants,
  PendingWrites,
  passedFields,
  RecentInvalidations,
  SharedFetches,
  validatedWith,
  wholeFields,
  withDirective,
} from '../fetching/index.ts';
import type { Counts } from '../reporting/index.ts';
import {
  type AbortSource,
  type CacheAnswer,
  type CacheRequest,
  type Decision,
  reportedError,
} from '../requests/index.ts';
import {
  asksOrigin,
  Fields,
  isSafeMethod,
  keyTwins,
  loops,
  matches,
  onlyIfCached,
  type RawFields,
  type Reuse,
  reuse,
  validationFields,
} from '../rules/index.ts';
import type { Entry, PurgeTarget } from '../storage/index.ts';
import { type ExplainedRequest, type Explanation, explain } from './explain.ts';
import { Purges } from './purges.ts';
import { Answering, detailOf, type Unfit } from './respond.ts';

const none: readonly Entry[] = [];

/** How often a response found in the store may turn out to be lost before the request fails. */
const maxTries = 3;

const isLost = (error: unknown): boolean =>
  isGarnerError(error, cacheErrors.CACHE_DAMAGED) || isGarnerError(error, cacheErrors.CACHE_GONE);

/** Caches on the way may not know of the change or the purge, and have the same response as fresh. */
const isOutdated = ({ invalidated, staleSinceMs }: Entry) => invalidated || staleSinceMs !== undefined;

const headOf = ({ head }: Entry) => head;

/**
 * A shared HTTP cache (RFC 9111): answers from its store as far as the rules permit, otherwise fetches
 * upstream, once for all clients that want the same, and stores what it may.
 */
export class ObjectCache {
  readonly #parts: FetchParts;
  readonly #fetches: SharedFetches;
  readonly #invalidations: Invalidations;
  readonly #answering: Answering;
  readonly #purges = new Purges();

  constructor(parts: CacheParts, options: { readonly collapseWaitMs: number }) {
    const changes = new RecentInvalidations();
    const [settling, troubles] = [new PendingWrites(parts.clock), new OriginFailures(parts.clock)];
    this.#parts = { ...parts, changes, settling, troubles };
    this.#answering = new Answering(this.#parts);
    this.#fetches = new SharedFetches(parts.clock, options.collapseWaitMs);
    this.#invalidations = new Invalidations(parts, this.#fetches, changes);
    if (parts.ready !== undefined)
      parts.ready.onHits = (count, bytes) => this.#answering.counters.count('hit', bytes, count);
  }

  /** Answer one request. Rejects with typed errors (CACHE_...), which the door turns into answers. */
  answer(request: CacheRequest): Promise<CacheAnswer> {
    const answered = this.#answer(request);
    return this.#parts.ready?.copies === undefined ? answered : this.#whenSettled(answered);
  }

  /** Delays an answer until no worker answers with an older response any more. */
  async #whenSettled(answered: Promise<CacheAnswer>): Promise<CacheAnswer> {
    try {
      return await answered;
    } finally {
      const settled = this.#parts.ready?.settled();
      if (settled !== undefined) await settled;
    }
  }

  async #answer(received: CacheRequest): Promise<CacheAnswer> {
    const request = keyed(received, this.#parts.policy.queries);
    const given = new Fields(request.fields);
    for (let tries = 1; ; tries += 1) {
      try {
        if (loops(given, this.#parts.name)) throw failure(cacheErrors.CACHE_LOOP, { name: this.#parts.name });
        if (request.method !== 'GET' && request.method !== 'HEAD') return await this.#pass(request);
        const settling = this.#parts.settling.of(request.url);
        if (settling !== undefined) await settling;
        const answer = await this.#read(request, given);
        if (answer.content instanceof StoredContent) await answer.content.begin();
        return answer;
      } catch (error) {
        // The found response is damaged or was removed: it is no longer found, and is fetched again.
        if (tries < maxTries && isLost(error)) continue;
        // A client that disconnected gets no answer.
        if (!request.signal.aborted) this.#answering.failed(request, error);
        throw error;
      }
    }
  }

  /** A GET or HEAD: RFC 9111 4. */
  async #read(request: CacheRequest, given: Fields, again = true): Promise<CacheAnswer> {
    const found = await select(this.#parts.store, request.url, given);
    const { entry } = found;
    if (entry === undefined || asksOrigin(given)) {
      if (onlyIfCached(given)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#fetch(request, given, found);
    }
    const judged = this.#judge(request, given, entry);
    if (judged.kind === 'validate') {
      if (onlyIfCached(given)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#validate(request, given, found, { entry, reuse: judged }, again);
    }
    const decision: Decision = {
      outcome: judged.kind === 'fresh' ? 'hit' : 'stale-hit',
      rule: judged.rule,
      ttlSeconds: judged.ttlSeconds,
    };
    const answer = this.#answering.fromStore(request, entry, judged.ageSeconds, decision);
    if (answer === undefined) {
      if (onlyIfCached(given)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#complete(request, given, found, entry);
    }
    if (judged.kind === 'stale-while-revalidate') this.#refresh(request, found);
    else if (judged.kind === 'fresh') this.#parts.ready?.answered(request, found, this.#parts.clock.now());
    return answer;
  }

  async #fetch(request: CacheRequest, given: Fields, found: Selection): Promise<CacheAnswer> {
    const isOriginJudged = asksOrigin(given);
    const missed = found.variants.length > 0 ? 'vary-miss' : 'uri-miss';
    const absent = missed === 'vary-miss' ? 'other-variant' : 'not-stored';
    const isPart = found.entry !== undefined;
    const rule = isOriginJudged ? 'origin-condition' : isPart ? 'part-stored' : absent;
    const forwarded = isOriginJudged ? 'request' : isPart ? 'partial' : missed;
    const passed = passedFields(request.fields, request.version, this.#parts.name);
    const others = missed === 'vary-miss' ? otherVariants(request, given, found) : none;
    const plain = (signal: AbortSource) =>
      fetchOnce({ request, fields: passed, signal, validated: none }, this.#parts);
    const shared = await this.#fetches.lead(
      request,
      given,
      others.length === 0
        ? plain
        : async (signal) => (await this.#validateOthers(request, given, others, signal)) ?? plain(signal),
      (fetched) => this.#fits(request, given, fetched),
    );
    const { fetched, led } = shared;
    const named = fetched.kind === 'response' ? fetched.named : undefined;
    const answer = this.#answering.respond(request, fetched, {
      outcome: !led ? 'collapsed' : named === undefined ? 'miss' : 'validated',
      rule,
      forwarded,
      collapsed: led ? undefined : true,
    });
    return led && named !== undefined ? withCookies(answer, named.cookies) : answer;
  }

  /** Validate responses stored for other requests (RFC 9111 4.1); undefined when the answer names none. */
  async #validateOthers(
    request: CacheRequest,
    given: Fields,
    others: readonly Entry[],
    signal: AbortSource,
  ): Promise<Fetched | undefined> {
    const fields = this.#validatingFields(request, given, others, others.some(isOutdated));
    const order = { request, fields, signal, validated: others, areOthers: true };
    const fetched = await fetchOnce(order, this.#parts);
    // A 304 that names none of them is not an answer.
    return fetched.kind === 'response' && fetched.head.status === 304 ? undefined : fetched;
  }

  /** The fields that validate stored responses, up to the origin when one of them is outdated. */
  #validatingFields(
    { fields, version }: CacheRequest,
    given: Fields,
    validated: readonly Entry[],
    areOutdated: boolean,
  ): RawFields {
    const validators = validationFields(validated.map(headOf), given);
    const validating = wholeFields(fields, version, this.#parts.name, validators);
    return areOutdated ? withDirective(validating, 'max-age=0') : validating;
  }

  /** A part is stored and fresh, and more is requested: only the missing bytes are fetched (RFC 9111 3.4). */
  async #complete(
    request: CacheRequest,
    given: Fields,
    found: Selection,
    entry: Entry,
  ): Promise<CacheAnswer> {
    const { name } = this.#parts;
    const missing = missingFields(entry, given);
    if (request.method !== 'GET' || missing === undefined) return this.#fetch(request, given, found);
    let fetched: Fetched;
    try {
      const fields = wholeFields(request.fields, request.version, name, missing);
      const order = { request, fields, signal: request.signal, validated: [], joinTo: entry };
      fetched = await fetchOnce(order, this.#parts);
    } catch (error) {
      if (request.signal.aborted) throw error;
      return this.#fetch(request, given, { entry: undefined, variants: found.variants });
    }
    const decision: Decision = { outcome: 'miss', rule: 'part-stored', forwarded: 'partial' };
    if (fetched.kind === 'freshened') {
      const answer = this.#answering.fromStore(request, fetched.entry, 0, {
        ...decision,
        forwardedStatus: 206,
        stored: true,
      });
      if (answer !== undefined) return withCookies(answer, fetched.cookies);
    } else if (fetched.head.status === 200) return this.#answering.respond(request, fetched, decision, found);
    else fetched.response.content.destroy();
    return this.#fetch(request, given, { entry: undefined, variants: found.variants });
  }

  /** Whether the response of another request in flight may answer this one too. */
  #fits(request: CacheRequest, given: Fields, fetched: Fetched): boolean {
    if (fetched.kind !== 'response' || !fetched.storing || fetched.content?.joinable !== true) return false;
    const { head } = fetched;
    return matches(head, given) && this.#judge(request, given, { head }).kind === 'fresh';
  }

  /** Whether a response may answer a request now, and by which rule: RFC 9111 4. */
  #judge(
    request: CacheRequest,
    given: Fields,
    entry: Pick<Entry, 'head' | 'staleSinceMs'> & Partial<Pick<Entry, 'invalidated'>>,
  ): Reuse {
    const { policy, clock } = this.#parts;
    const { fromCache } = request;
    const { head, invalidated = false, staleSinceMs } = entry;
    const state = { head, invalidated, staleSinceMs };
    return reuse({ requestFields: given, ...state, nowMs: clock.now(), policy, fromCache });
  }

  /** Validate a stored response: RFC 9111 4.3. */
  async #validate(
    request: CacheRequest,
    given: Fields,
    found: Selection,
    unfit: Unfit,
    again: boolean,
  ): Promise<CacheAnswer> {
    const decision: Decision = {
      outcome: 'miss',
      rule: unfit.reuse.rule,
      forwarded: unfit.reuse.rule.startsWith('request-') ? 'request' : 'stale',
      ttlSeconds: unfit.reuse.ttlSeconds,
    };
    const validated = validatedWith(found, given);
    const fields = this.#validatingFields(request, given, validated, isOutdated(unfit.entry));
    const order = { request, fields, validated };
    let fetched: Fetched;
    try {
      const shared = await this.#fetches.lead(
        request,
        given,
        (signal) => fetchOnce({ signal, ...order }, this.#parts),
        (other) => this.#fits(request, given, other) || (again && other.kind === 'freshened'),
      );
      // A response that another request has just validated is evaluated again, by this request's own rules.
      if (!shared.led && shared.fetched.kind === 'freshened') return this.#read(request, given, false);
      fetched = shared.fetched;
    } catch (error) {
      if (request.signal.aborted || !isGarnerError(error)) throw error;
      const stale = this.#answering.staleOnError(request, given, unfit, {
        ...decision,
        error: reportedError(error),
      });
      if (stale === undefined) throw error;
      return stale;
    }
    if (fetched.kind === 'response') {
      const stale = this.#answering.staleOnError(request, given, unfit, {
        ...decision,
        forwardedStatus: fetched.head.status,
      });
      if (stale !== undefined) {
        fetched.response.content.destroy();
        return stale;
      }
    }
    if (fetched.kind === 'freshened') {
      const { entry } = fetched;
      const judged = this.#judge(request, given, { head: entry.head });
      const detail = detailOf(fetched.route);
      const answer = this.#answering.fromStore(request, entry, judged.ageSeconds, {
        ...decision,
        outcome: 'validated',
        forwardedStatus: 304,
        ttlSeconds: judged.ttlSeconds,
        ...(detail !== undefined && { detail }),
      });
      if (answer !== undefined) return withCookies(answer, fetched.cookies);
      return this.#complete(request, given, found, entry);
    }
    // A 304 that names no stored response is not an answer for any client.
    if (fetched.head.status === 304) return this.#fetch(request, given, found);
    return this.#answering.respond(request, fetched, decision, found);
  }

  /** Validate behind a stale answer (RFC 5861 3); the next request gets the result. */
  #refresh(request: CacheRequest, found: Selection): void {
    const given = new Fields(request.fields);
    const plain: CacheRequest = { ...request, method: 'GET' };
    const validated = validatedWith(found, given);
    const areOutdated = found.entry !== undefined && isOutdated(found.entry);
    const fields = this.#validatingFields(request, given, validated, areOutdated);
    this.#fetches.refresh(plain, (signal) =>
      fetchOnce({ request: plain, fields, signal, validated, unattended: true }, this.#parts),
    );
  }

  /** Forward a method that a cache does not answer; a change invalidates its target (RFC 9111 4.4). */
  async #pass(request: CacheRequest): Promise<CacheAnswer> {
    const fields = passedFields(request.fields, request.version, this.#parts.name);
    const fetched = await fetchOnce({ request, fields, signal: request.signal, validated: [] }, this.#parts);
    if (fetched.kind === 'response' && !isSafeMethod(request.method))
      await this.#invalidations.after(request, fetched.head, fetched.storing);
    return this.#answering.respond(request, fetched, {
      outcome: 'pass',
      rule: 'method',
      forwarded: 'method',
    });
  }

  /** Results of requests since this was opened. */
  counts(): Counts {
    this.#parts.ready?.table.reportHits();
    return this.#answering.counters.counts();
  }

  /** Explain why a request for `url` with these fields would be answered in a certain way, and how recent ones were. */
  explain(question: ExplainedRequest): Promise<Explanation> {
    const url = this.#parts.policy.queries.keyOf(question.url);
    return explain({ ...question, url }, this.#parts, {
      decisions: this.#answering.decisions,
      purges: this.#purges,
    });
  }

  /** Remove the responses that a purge names, or with `soft` make them stale from now on. Returns their number. */
  purge(target: PurgeTarget, options: { readonly soft: boolean }): Promise<number> {
    this.#purges.note(target, { soft: options.soft, atMs: this.#parts.clock.now() });
    if ('url' in target) return this.#purgeUrl(target.url, options);
    this.#parts.changes.noteMany();
    this.#fetches.spoil(target);
    return this.#parts.store.purge(target, options);
  }

  async #purgeUrl(target: string, options: { readonly soft: boolean }): Promise<number> {
    const { changes, store, policy } = this.#parts;
    const twins = keyTwins(policy.queries.keyOf(target));
    for (const url of twins) {
      changes.note(url);
      this.#fetches.spoil({ url });
    }
    const counts = await Promise.all(twins.map((url) => store.purge({ url }, options)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}
