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
  type Reuse,
  reuse,
  validationFields,
} from '../rules/index.ts';
import type { Entry, PurgeTarget } from '../storage/index.ts';
import { type ExplainedRequest, type Explanation, explain } from './explain.ts';
import { Purges } from './purges.ts';
import { Answering, detailOf, type Unfit } from './respond.ts';

const none: readonly Entry[] = [];

/** How often what was found in the store may turn out to be lost. */
const maxTurns = 3;

const isLost = (error: unknown): boolean =>
  isGarnerError(error, cacheErrors.CACHE_DAMAGED) || isGarnerError(error, cacheErrors.CACHE_GONE);

/** Caches on the way may not know of the change or the purge, and have the same one as fresh. */
const isOutdated = ({ invalidated, staleSinceMs }: Entry) => invalidated || staleSinceMs !== undefined;

const headOf = ({ head }: Entry) => head;

/**
 * A shared HTTP cache (RFC 9111): answers from what it has as long as the rules allow, asks upstream otherwise, once for
 * all who want the same, and keeps what it may.
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
      parts.ready.onHits = (count, bytes) => {
        this.#answering.counters.count('hit', bytes, count);
      };
  }

  /** Answer one request. Throws typed errors (CACHE_...) that the door makes answers of. */
  answer(request: CacheRequest): Promise<CacheAnswer> {
    const answered = this.#answer(request);
    return this.#parts.ready?.copies === undefined ? answered : this.#whenSettled(answered);
  }

  /** What was there before is given nowhere when a request has its answer. */
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
    const asked = new Fields(request.fields);
    for (let turn = 1; ; turn += 1) {
      try {
        if (loops(asked, this.#parts.name)) throw failure(cacheErrors.CACHE_LOOP, { name: this.#parts.name });
        if (request.method !== 'GET' && request.method !== 'HEAD') return await this.#pass(request);
        const settling = this.#parts.settling.of(request.url);
        if (settling !== undefined) await settling;
        const answer = await this.#read(request, asked);
        if (answer.content instanceof StoredContent) await answer.content.begin();
        return answer;
      } catch (error) {
        // What was found is damaged or has left meanwhile: it is no longer found, and is asked for anew.
        if (turn < maxTurns && isLost(error)) continue;
        // Who has left is told nothing.
        if (!request.signal.aborted) this.#answering.failed(request, error);
        throw error;
      }
    }
  }

  /** A GET or HEAD: RFC 9111 4. */
  async #read(request: CacheRequest, asked: Fields, again = true): Promise<CacheAnswer> {
    const found = await select(this.#parts.store, request.url, asked);
    const { entry } = found;
    if (entry === undefined || asksOrigin(asked)) {
      if (onlyIfCached(asked)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#fetch(request, asked, found);
    }
    const judged = this.#judge(request, asked, entry);
    if (judged.kind === 'validate') {
      if (onlyIfCached(asked)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#validate(request, asked, found, { entry, reuse: judged }, again);
    }
    const decision: Decision = {
      outcome: judged.kind === 'fresh' ? 'hit' : 'stale-hit',
      rule: judged.rule,
      ttlSeconds: judged.ttlSeconds,
    };
    const answer = this.#answering.fromStore(request, entry, judged.ageSeconds, decision);
    if (answer === undefined) {
      if (onlyIfCached(asked)) throw failure(cacheErrors.CACHE_ONLY_IF_CACHED, {});
      return this.#complete(request, asked, found, entry);
    }
    if (judged.kind === 'stale-while-revalidate') this.#refresh(request, found);
    else if (judged.kind === 'fresh') this.#parts.ready?.answered(request, found, this.#parts.clock.now());
    return answer;
  }

  /** Ask upstream for what is not here. */
  async #fetch(request: CacheRequest, asked: Fields, found: Selection): Promise<CacheAnswer> {
    const judgedThere = asksOrigin(asked);
    const missed = found.variants.length > 0 ? 'vary-miss' : 'uri-miss';
    const absent = missed === 'vary-miss' ? 'other-variant' : 'not-stored';
    const isPart = found.entry !== undefined;
    const rule = judgedThere ? 'origin-condition' : isPart ? 'part-stored' : absent;
    const forwarded = judgedThere ? 'request' : isPart ? 'partial' : missed;
    const passed = passedFields(request.fields, request.version, this.#parts.name);
    const others = missed === 'vary-miss' ? otherVariants(request, asked, found) : none;
    const plain = (signal: AbortSource) =>
      fetchOnce({ request, fields: passed, signal, validated: none }, this.#parts);
    const shared = await this.#fetches.lead(
      request,
      asked,
      others.length === 0
        ? plain
        : async (signal) => (await this.#askOfOthers(request, asked, others, signal)) ?? plain(signal),
      (fetched) => this.#fits(request, asked, fetched),
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

  /** Ask whether what is stored for other requests is what this one gets: RFC 9111 4.1. Undefined when that is not known. */
  async #askOfOthers(
    request: CacheRequest,
    asked: Fields,
    others: readonly Entry[],
    signal: AbortSource,
  ): Promise<Fetched | undefined> {
    const { name } = this.#parts;
    const tags = validationFields(others.map(headOf), asked);
    const fields = wholeFields(request.fields, request.version, name, tags);
    const fetched = await fetchOnce(
      {
        ...{ request, signal, validated: others, areOthers: true },
        // Caches on the way may not know of the change that made one invalid.
        fields: others.some(isOutdated) ? withDirective(fields, 'max-age=0') : fields,
      },
      this.#parts,
    );
    // A 304 that names none of them is no answer.
    return fetched.kind === 'response' && fetched.head.status === 304 ? undefined : fetched;
  }

  /** A part is stored and fresh, and more is wanted: only that is asked for (RFC 9111 3.4). */
  async #complete(
    request: CacheRequest,
    asked: Fields,
    found: Selection,
    entry: Entry,
  ): Promise<CacheAnswer> {
    const { name } = this.#parts;
    const missing = missingFields(entry, asked);
    if (request.method !== 'GET' || missing === undefined) return this.#fetch(request, asked, found);
    let fetched: Fetched;
    try {
      fetched = await fetchOnce(
        {
          request,
          fields: wholeFields(request.fields, request.version, name, missing),
          signal: request.signal,
          validated: [],
          joinTo: entry,
        },
        this.#parts,
      );
    } catch (error) {
      if (request.signal.aborted) throw error;
      return this.#fetch(request, asked, { entry: undefined, variants: found.variants });
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
    return this.#fetch(request, asked, { entry: undefined, variants: found.variants });
  }

  /** Whether a response that is under way to another request may answer this one too. */
  #fits(request: CacheRequest, asked: Fields, fetched: Fetched): boolean {
    if (fetched.kind !== 'response' || !fetched.storing || fetched.content?.joinable !== true) return false;
    const { head } = fetched;
    return matches(head, asked) && this.#judge(request, asked, { head }).kind === 'fresh';
  }

  /** Whether a response may answer a request now, by which rule: RFC 9111 4. */
  #judge(
    request: CacheRequest,
    asked: Fields,
    entry: Pick<Entry, 'head' | 'staleSinceMs'> & Partial<Pick<Entry, 'invalidated'>>,
  ): Reuse {
    const { policy, clock } = this.#parts;
    const { fromCache } = request;
    const { head, invalidated = false, staleSinceMs } = entry;
    const stands = { head, invalidated, staleSinceMs };
    return reuse({ requestFields: asked, ...stands, nowMs: clock.now(), policy, fromCache });
  }

  /** Ask whether a stored response is good still: RFC 9111 4.3. */
  async #validate(
    request: CacheRequest,
    asked: Fields,
    found: Selection,
    unfit: Unfit,
    again: boolean,
  ): Promise<CacheAnswer> {
    const { name } = this.#parts;
    const decision: Decision = {
      outcome: 'miss',
      rule: unfit.reuse.rule,
      forwarded: unfit.reuse.rule.startsWith('request-') ? 'request' : 'stale',
      ttlSeconds: unfit.reuse.ttlSeconds,
    };
    const validated = validatedWith(found, asked);
    const validators = validationFields(validated.map(headOf), asked);
    const validating = wholeFields(request.fields, request.version, name, validators);
    const order = {
      request,
      fields: isOutdated(unfit.entry) ? withDirective(validating, 'max-age=0') : validating,
      validated,
    };
    let fetched: Fetched;
    try {
      const shared = await this.#fetches.lead(
        request,
        asked,
        (signal) => fetchOnce({ signal, ...order }, this.#parts),
        (other) => this.#fits(request, asked, other) || (again && other.kind === 'freshened'),
      );
      // What another request has just had validated is looked at anew, by this one's own rules.
      if (!shared.led && shared.fetched.kind === 'freshened') return this.#read(request, asked, false);
      fetched = shared.fetched;
    } catch (error) {
      if (request.signal.aborted || !isGarnerError(error)) throw error;
      const stale = this.#answering.staleOnError(request, asked, unfit, {
        ...decision,
        error: reportedError(error),
      });
      if (stale === undefined) throw error;
      return stale;
    }
    if (fetched.kind === 'response') {
      const stale = this.#answering.staleOnError(request, asked, unfit, {
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
      const judged = this.#judge(request, asked, { head: entry.head });
      const detail = detailOf(fetched.route);
      const answer = this.#answering.fromStore(request, entry, judged.ageSeconds, {
        ...decision,
        outcome: 'validated',
        forwardedStatus: 304,
        ttlSeconds: judged.ttlSeconds,
        ...(detail !== undefined && { detail }),
      });
      if (answer !== undefined) return withCookies(answer, fetched.cookies);
      return this.#complete(request, asked, found, entry);
    }
    // A 304 that speaks of none of what is stored is no answer to anyone.
    if (fetched.head.status === 304) return this.#fetch(request, asked, found);
    return this.#answering.respond(request, fetched, decision, found);
  }

  /** Validate behind a stale answer (RFC 5861 3); what comes of it is seen by the next request. */
  #refresh(request: CacheRequest, found: Selection): void {
    const asked = new Fields(request.fields);
    const plain: CacheRequest = { ...request, method: 'GET' };
    const validated = validatedWith(found, asked);
    const validators = validationFields(validated.map(headOf), asked);
    const validating = wholeFields(request.fields, request.version, this.#parts.name, validators);
    const outdated = found.entry !== undefined && isOutdated(found.entry);
    const fields = outdated ? withDirective(validating, 'max-age=0') : validating;
    this.#fetches.refresh(plain, (signal) =>
      fetchOnce({ request: plain, fields, signal, validated, unattended: true }, this.#parts),
    );
  }

  /** A method that a cache has no say in; a change makes what is stored under its target unusable (RFC 9111 4.4). */
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

  /** How requests ended since this was opened. */
  counts(): Counts {
    this.#parts.ready?.table.tellHits();
    return this.#answering.counters.counts();
  }

  /** Say why a request for `url` with these fields would be answered as it would, and was lately. */
  explain(question: ExplainedRequest): Promise<Explanation> {
    const url = this.#parts.policy.queries.keyOf(question.url);
    return explain({ ...question, url }, this.#parts, {
      decisions: this.#answering.decisions,
      purges: this.#purges,
    });
  }

  /** Forget what a purge means, or with `soft` have it stale from now on. Gives how many responses. */
  purge(target: PurgeTarget, options: { readonly soft: boolean }): Promise<number> {
    this.#purges.note(target, { soft: options.soft, atMs: this.#parts.clock.now() });
    if ('url' in target) return this.#purgeUrl(target.url, options);
    this.#parts.changes.noteMany();
    this.#fetches.spoil(target);
    return this.#parts.store.purge(target, options);
  }

  async #purgeUrl(asked: string, options: { readonly soft: boolean }): Promise<number> {
    const { changes, store, policy } = this.#parts;
    const twins = keyTwins(policy.queries.keyOf(asked));
    for (const url of twins) {
      changes.note(url);
      this.#fetches.spoil({ url });
    }
    const counts = await Promise.all(twins.map((url) => store.purge({ url }, options)));
    return counts.reduce((sum, count) => sum + count, 0);
  }
}
