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
  currentAgeSeconds,
  type Fields,
  headAfterHead,
  mayServeStaleOnError,
  type Reuse,
  type StoredHead,
  servedFields,
  urlOfKey,
} from '../rules/index.ts';
import type { ByteRange, Entry } from '../storage/index.ts';

/** What is known of a stored response when it cannot be used as it is. */
export interface Unfit {
  readonly entry: Entry;
  readonly reuse: Reuse;
}

const boundaryBytes = 16;

/** How a route is told in Cache-Status. */
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

/** Makes answers of what is stored and of what upstream said, and notes what was decided. */
export class Answering {
  readonly #parts: FetchParts;
  readonly decisions = new RecentDecisions();
  readonly counters = new Counters();

  constructor(parts: FetchParts) {
    this.#parts = parts;
  }

  /** An answer from what is stored; undefined when the part that is wanted is not here. */
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
    this.#tell(request, decision, answer);
    return answer;
  }

  /** What is stale may stand in when the origin fails: RFC 9111 4.2.4, RFC 5861 4. */
  staleOnError(
    request: CacheRequest,
    asked: Fields,
    { entry, reuse: judged }: Unfit,
    decision: Decision,
  ): CacheAnswer | undefined {
    const { policy, clock } = this.#parts;
    const rule = mayServeStaleOnError({
      head: entry.head,
      requestFields: asked,
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

  /** What upstream said goes on to the client, from the copy that is being stored when there is one. */
  respond(request: CacheRequest, fetched: Fetched, decided: Decision, found?: Selection): CacheAnswer {
    if (fetched.kind === 'freshened') throw new Error('a 304 to a request without validators');
    const { head, kept, content, response, storing, storedBy, part, route, named } = fetched;
    const detail = detailOf(route);
    // Each in its place: what is copied with a spread gets a hidden class of its own each time.
    const { outcome, rule, forwarded, collapsed } = decided;
    const decision: Decision = {
      outcome,
      rule,
      forwarded,
      forwardedStatus: named === undefined ? head.status : 304,
      // RFC 9211 2.6: of the response that is given; what is left of a stored one says nothing of this one.
      ttlSeconds: undefined,
      stored: storing || undefined,
      storedBy,
      collapsed,
      detail,
    };
    const { name, clock } = this.#parts;
    const telling = { name, decision };
    // Who takes part in somebody else's fetch gets what a cache gives out, not what was said to the other.
    const [given, ageSeconds] =
      decided.collapsed === true ? [kept, currentAgeSeconds(kept, clock.now())] : [head, undefined];
    // What was said before a change says nothing of what is stored after it.
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
            telling,
          )
        : undefined;
    const made: CacheAnswer = shared ?? {
      status: head.status,
      reason: head.reason,
      fields: withOwnFields(servedFields(given, { ageSeconds }), telling),
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
    const noted = this.#tell(request, decision, answer);
    // What came as one has not broken off.
    if (answer.content !== undefined && content !== undefined && content.whole === undefined)
      content.onBroken((broken) => this.#broke(request, noted, fetched, broken));
    return answer;
  }

  /** Note that a request gets an error in place of an answer. */
  failed(request: CacheRequest, error: unknown): void {
    const told = clientsError(error);
    const decision = failedDecision(told);
    this.counters.count(decision.outcome, 0);
    this.#note(request, decision, told.status, undefined);
  }

  /** What was told of an answer as it began is not so: remember, count and tell how far it came. */
  #broke(
    request: CacheRequest,
    noted: Remembered | undefined,
    { content, route }: Extract<Fetched, { kind: 'response' }>,
    { received, error }: BrokenContent,
  ): void {
    if (noted === undefined) return;
    const told = error === undefined ? undefined : clientsError(error);
    noted.decision = brokenDecision(noted.decision, { bytes: received, of: content?.length }, told);
    if (told !== undefined) {
      this.counters.countBroken();
      if (route.to === 'origin')
        this.#parts.troubles.note(request.origin?.url ?? urlOfKey(request.url), told);
    }
    answerBroken.publish({ request, decision: noted.decision, status: noted.status });
  }

  /** RFC 9111 4.3.5: a HEAD's answer makes what is stored new, or shows that it is old. */
  #learnFromHead(head: StoredHead, { entry }: Selection): void {
    if (entry === undefined) return;
    const { store } = this.#parts;
    const made = headAfterHead(entry.head, head, entry.part?.total ?? entry.contentLength);
    if (made !== undefined) store.updateHead(entry, made);
    // A disk that does not take it has its own note of that; in memory it is done.
    else store.invalidate(entry.key).catch(() => undefined);
  }

  #tell(request: CacheRequest, decision: Decision, answer: CacheAnswer): Remembered | undefined {
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
