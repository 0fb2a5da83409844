import {
  answerFrom,
  type ContentSource,
  type Selection,
  StoredContent,
  severalParts,
  skipTo,
  withOwnFields,
} from '../answers/index.ts';
import { answerBroken, requestAnswered } from '../events.ts';
import type { BrokenContent, Fetched, FetchParts, SharedContent } from '../fetching/index.ts';
import { Counters, RecentDecisions, type Remembered } from '../reporting/index.ts';
import {
  brokenDecision,
  type CacheAnswer,
  type CacheRequest,
  clientsError,
  type Decision,
  failedDecision,
  type Route,
} from '../requests/index.ts';
import {
  type ByteRange,
  currentAgeSeconds,
  type Fields,
  headAfterHead,
  mayServeStaleOnError,
  type Reuse,
  type StoredHead,
  servedFields,
  urlOfKey,
} from '../rules/index.ts';
import type { Entry } from '../storage/index.ts';

/** A stored response that cannot be used as it is, with the reason. */
export interface Unfit {
  readonly entry: Entry;
  readonly reuse: Reuse;
}

const boundaryBytes = 16;

export const detailOf = (route: Route): string | undefined =>
  route.to === 'origin' ? undefined : `${route.to}-${route.because}`;

function partOf(
  content: SharedContent,
  { signal }: CacheRequest,
  range?: ByteRange,
): Uint8Array | AsyncIterable<Uint8Array> {
  const { whole } = content;
  if (whole === undefined) return skipTo(content.reader(signal), range);
  return range === undefined ? whole : whole.subarray(range.first, range.last + 1);
}

/** Builds answers from stored and upstream responses, and records the decisions. */
export class Answering {
  readonly #parts: FetchParts;
  readonly decisions = new RecentDecisions();
  readonly counters = new Counters();

  constructor(parts: FetchParts) {
    this.#parts = parts;
  }

  /** An answer from a stored response; undefined when the requested part is not stored. */
  fromStore(
    request: CacheRequest,
    entry: Entry,
    ageSeconds: number,
    decision: Decision,
  ): CacheAnswer | undefined {
    const { store, name, random } = this.#parts;
    const from = entry.part?.first ?? 0;
    const hotPart = (hot: Uint8Array, { first, last }: ByteRange) =>
      hot.subarray(first - from, last + 1 - from);
    const source: ContentSource = {
      length: entry.part?.total ?? entry.contentLength,
      ...(entry.part && { part: entry.part }),
      take: (range) => {
        const hot = store.hotContent(entry);
        if (hot === undefined) return new StoredContent(store.read(entry, range));
        return range === undefined ? hot : hotPart(hot, range);
      },
      takeSeveral: (ranges, contentType) => {
        const hot = store.hotContent(entry);
        const made = severalParts(ranges, {
          ...{ total: entry.part?.total ?? entry.contentLength, contentType },
          boundary: Buffer.from(random.bytes(boundaryBytes)).toString('hex'),
          read: (range) => (hot === undefined ? store.read(entry, range) : [hotPart(hot, range)]),
        });
        return { ...made, content: new StoredContent(made.content) };
      },
    };
    const answer = answerFrom(
      request,
      entry.head,
      source,
      { ageSeconds, validated: decision.outcome === 'validated' },
      { name, decision },
    );
    if (answer === undefined) return undefined;
    store.touch(entry);
    this.#report(request, decision, answer);
    return answer;
  }

  /** A stale answer in place of the failed origin's, where permitted: RFC 9111 4.2.4, RFC 5861 4. */
  staleOnError(
    request: CacheRequest,
    requestFields: Fields,
    { entry, reuse: judged }: Unfit,
    decision: Decision,
  ): CacheAnswer | undefined {
    const { policy, clock } = this.#parts;
    const rule = mayServeStaleOnError({
      head: entry.head,
      requestFields,
      nowMs: clock.now(),
      policy,
      status: decision.forwardedStatus,
      invalidated: entry.invalidated,
      staleSinceMs: entry.staleSinceMs,
    });
    if (rule === undefined) return undefined;
    return this.fromStore(request, entry, judged.ageSeconds, {
      ...decision,
      outcome: 'stale-on-error',
      detail: rule,
      rule,
    });
  }

  /** The answer from an upstream response, from the shared content that is being stored when there is one. */
  respond(request: CacheRequest, fetched: Fetched, decided: Decision, found?: Selection): CacheAnswer {
    if (fetched.kind === 'freshened') throw new Error('a 304 to a request without validators');
    const { head, kept, content, response, storing, storedBy, part, route, named } = fetched;
    const detail = detailOf(route);
    // Without a spread: a copy by spread gets its own hidden class each time.
    const { outcome, rule, forwarded, collapsed } = decided;
    const decision: Decision = {
      outcome,
      rule,
      forwarded,
      forwardedStatus: named === undefined ? head.status : 304,
      // RFC 9211 2.6: the ttl of the response that is sent; that of a stored one would be misleading.
      ttlSeconds: undefined,
      stored: storing || undefined,
      storedBy,
      collapsed,
      detail,
    };
    const { name, clock } = this.#parts;
    const statement = { name, decision };
    // A client that shares another's fetch gets the head as stored, not the head for the other client.
    const [given, ageSeconds] =
      decided.collapsed === true ? [kept, currentAgeSeconds(kept, clock.now())] : [head, undefined];
    // An answer from before a change is irrelevant to what was stored after it.
    if (request.method === 'HEAD' && head.status === 200 && storedBy !== 'overtaken' && found !== undefined)
      this.#learnFromHead(head, found);
    const shared =
      content !== undefined && head.status === 200 && part === undefined
        ? answerFrom(
            request,
            given,
            {
              length: content.length,
              take: (range) => partOf(content, request, range),
            },
            { ageSeconds },
            statement,
          )
        : undefined;
    const made: CacheAnswer = shared ?? {
      status: head.status,
      reason: head.reason,
      fields: withOwnFields(servedFields(given, { ageSeconds }), statement),
      contentLength: response.contentLength,
      content: content !== undefined && head.status !== 204 ? partOf(content, request) : undefined,
    };
    const answer: CacheAnswer = {
      status: made.status,
      reason: made.reason,
      fields: made.fields,
      contentLength: made.contentLength,
      content: made.content,
      trailers: response.trailers,
    };
    if (answer.content === undefined) content?.release();
    const noted = this.#report(request, decision, answer);
    // A content in one piece has not broken off.
    if (answer.content !== undefined && content !== undefined && content.whole === undefined)
      content.onBroken((broken) => this.#broke(request, noted, fetched, broken));
    return answer;
  }

  /** Record that a request gets an error in place of an answer. */
  failed(request: CacheRequest, error: unknown): void {
    const typed = clientsError(error);
    const decision = failedDecision(typed);
    this.counters.count(decision.outcome, 0);
    this.#note(request, decision, typed.status, undefined);
  }

  /** The content broke off after its answer was reported: correct the record, count it, and report it. */
  #broke(
    request: CacheRequest,
    noted: Remembered | undefined,
    { content, route }: Extract<Fetched, { kind: 'response' }>,
    { received, error }: BrokenContent,
  ): void {
    if (noted === undefined) return;
    const typed = error === undefined ? undefined : clientsError(error);
    noted.decision = brokenDecision(noted.decision, { bytes: received, of: content?.length }, typed);
    if (typed !== undefined) {
      this.counters.countBroken();
      if (route.to === 'origin')
        this.#parts.troubles.note(request.origin?.url ?? urlOfKey(request.url), typed);
    }
    answerBroken.publish({ request, decision: noted.decision, status: noted.status });
  }

  /** RFC 9111 4.3.5: a HEAD's answer freshens the stored response, or invalidates it. */
  #learnFromHead(head: StoredHead, { entry }: Selection): void {
    if (entry === undefined) return;
    const { store } = this.#parts;
    const made = headAfterHead(entry.head, head, entry.part?.total ?? entry.contentLength);
    if (made !== undefined) store.updateHead(entry, made);
    // A disk error is reported elsewhere; in memory this cannot fail.
    else store.invalidate(entry.key).catch(() => undefined);
  }

  #report(request: CacheRequest, decision: Decision, answer: CacheAnswer): Remembered | undefined {
    const bytes = request.method === 'HEAD' ? 0 : (answer.contentLength ?? 0);
    this.counters.count(decision.outcome, bytes);
    return this.#note(request, decision, answer.status, answer.contentLength);
  }

  #note(
    request: CacheRequest,
    decision: Decision,
    status: number,
    bytes: number | undefined,
  ): Remembered | undefined {
    const { method, url } = request;
    const noted =
      decision.outcome === 'hit'
        ? undefined
        : this.decisions.note({ atMs: this.#parts.clock.now(), method, url, status, decision });
    requestAnswered.publish({ request, decision, status, bytes });
    return noted;
  }
}
