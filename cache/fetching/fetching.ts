import type { Clock, Random } from '../../kernel/index.ts';
import type { PrebuiltHits } from '../ready/index.ts';
import type {
  AbortSource,
  CacheRequest,
  PeerRouter,
  Route,
  Upstream,
  UpstreamResponse,
} from '../requests/index.ts';
import {
  type ByteRange,
  type CachePolicy,
  type ExchangeTimes,
  Fields,
  freshenedBy,
  headAfter304,
  matches,
  type RawFields,
  type RuleName,
  receivedPart,
  type StoredHead,
  selectingFields,
  storability,
  storedFields,
  surrogateKeys,
  urlOfKey,
  withoutFields,
} from '../rules/index.ts';
import type { Entry, EntryStore } from '../storage/index.ts';
import { forward } from './forwarding.ts';
import { joined } from './joining.ts';
import type { OriginFailures } from './origin-failures.ts';
import { type NamedVariant, namedVariant } from './other-variants.ts';
import { withDirective } from './outgoing-fields.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { RecentInvalidations } from './recent-invalidations.ts';
import { SharedContent } from './shared-content.ts';

export interface CacheParts {
  readonly store: EntryStore;
  readonly upstream: Upstream;
  readonly router: PeerRouter;
  readonly policy: CachePolicy;
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Learns responses for a fast lane. */
  readonly ready?: PrebuiltHits;
}

/** The parts within the object cache, with its record of recent changes. */
export interface FetchParts extends CacheParts {
  readonly changes: RecentInvalidations;
  readonly settling: PendingWrites;
  readonly troubles: OriginFailures;
}

/** An upstream's answer, and its treatment. */
export type Fetched =
  | {
      /** A new response; it is being stored when `storing`. */
      readonly kind: 'response';
      readonly head: StoredHead;
      /** The head as stored, for clients that share the fetch of another. */
      readonly kept: StoredHead;
      readonly response: UpstreamResponse;
      /** Shared by all waiting clients; absent when the response has no content or only one client may have it. */
      readonly content: SharedContent | undefined;
      readonly storing: boolean;
      readonly part: (ByteRange & { readonly total: number }) | undefined;
      readonly storedBy: RuleName;
      readonly route: Route;
      /** Set for a stored variant that a 304 named; cookies of the 304 are only for the requesting client. */
      readonly named: { readonly cookies: RawFields } | undefined;
    }
  | {
      /** A stored response was validated, or its missing part was added. */
      readonly kind: 'freshened';
      readonly entry: Entry;
      readonly route: Route;
      /** Cookies of that answer: only for the requesting client. */
      readonly cookies: RawFields;
    };

export interface FetchOrder {
  readonly request: CacheRequest;
  /** The fields to send: complete except for Via and those that a route adds. */
  readonly fields: RawFields;
  readonly signal: AbortSource;
  /** Stored responses to which a 304 may refer. */
  readonly validated: readonly Entry[];
  /** No client waits for it: a refresh behind a stale answer, of any size. */
  readonly unattended?: boolean;
  /** `validated` were stored for other requests: a 304 may name one as the answer to this request too. */
  readonly areOthers?: boolean;
  /** A stored part that a 206 may extend. */
  readonly joinTo?: Entry;
}

/** Contents up to this size are still fetched for the store after all clients have disconnected. Bytes. */
const aloneBytes = 16 * 1024 * 1024;

/** A refresh without a client is given up after this time: a slow origin would occupy it for ever. */
const maxRefreshMs = 3_600_000;

const contentRangeNames: ReadonlySet<string> = new Set(['content-range', 'content-length']);

/** The head to be stored of a response: RFC 9111 3.1. */
function headOf(
  request: CacheRequest,
  requestFields: Fields,
  response: UpstreamResponse,
  times: { readonly requestedAtMs: number; readonly receivedAtMs: number },
): { readonly head: StoredHead; readonly variesOnAll: boolean } {
  const fields = new Fields(response.fields);
  const selecting = selectingFields(fields.lines('vary'), requestFields);
  const head = {
    url: urlOfKey(request.url),
    status: response.status,
    reason: response.reason,
    fields: response.fields,
    requestedAtMs: times.requestedAtMs,
    receivedAtMs: times.receivedAtMs,
    selecting: selecting === '*' ? [] : selecting,
    authorized: requestFields.has('authorization'),
  };
  return { head, variesOnAll: selecting === '*' };
}

/** Whether a response has content: RFC 9112 6.3. */
const hasContent = (method: string, status: number) => method !== 'HEAD' && status !== 304;

const cookiesOf = ({ fields }: UpstreamResponse): RawFields =>
  new Fields(fields).lines('set-cookie').flatMap((line) => ['Set-Cookie', line]);

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** Send one request upstream, and begin to store its answer if permitted. */
export async function fetchOnce(order: FetchOrder, parts: FetchParts): Promise<Fetched> {
  const { request, fields, signal, validated } = order;
  const { clock, store, policy, changes } = parts;
  const changesBefore = changes.count;
  const isUnseen = isRead(request.method) && changes.isUnseen(request.url);
  const requestedAtMs = clock.now();
  const { response: answered, route } = await forward(
    {
      method: request.method,
      url: request.url,
      origin: request.origin,
      fields: isUnseen ? withDirective(fields, 'max-age=0') : fields,
      signal,
      fromCache: request.fromCache,
      content: request.content,
      contentLength: request.contentLength,
      onInterim: request.onInterim,
    },
    parts,
  );
  const times = { requestedAtMs, receivedAtMs: clock.now() };
  const requestFields = new Fields(request.fields);
  const variant =
    order.areOthers === true && answered.status === 304
      ? await namedVariant(validated, answered, store)
      : undefined;
  // The answer may be older than a change that ended during the request; a later change finds it stored.
  const isOvertaken = changes.since(changesBefore, request.url);
  if (isUnseen && !isOvertaken && answered.status < 500) changes.seen(request.url);
  if (answered.status === 304 && validated.length > 0 && !isOvertaken && order.areOthers !== true) {
    const freshened = freshen(validated, answered, times, requestFields, parts);
    if (freshened !== undefined) {
      answered.content.resume();
      return { kind: 'freshened', entry: freshened, route, cookies: cookiesOf(answered) };
    }
  }
  const again = variant && inPlaceOf304(variant, times, isOvertaken);
  const response = again ?? answered;
  if (again !== undefined) answered.content.resume();
  const { head, variesOnAll } = headOf(request, requestFields, response, times);
  const verdict = storability(
    {
      method: request.method,
      url: urlOfKey(request.url),
      fields: requestFields,
      hasContent: request.content !== undefined,
    },
    {
      status: response.status,
      fields: new Fields(response.fields),
      receivedAtMs: times.receivedAtMs,
    },
    policy,
  );
  const part =
    response.status === 206 ? receivedPart(new Fields(fields), new Fields(response.fields)) : undefined;
  const storable =
    verdict.store &&
    !isOvertaken &&
    !variesOnAll &&
    hasContent(request.method, response.status) &&
    (response.status !== 206 || part !== undefined);
  const stripped = headWith(head, withoutFields(storedFields(head.fields, times.receivedAtMs), verdict.omit));
  const kept = part === undefined ? stripped : wholeHead(stripped);
  if (storable && part !== undefined && order.joinTo !== undefined) {
    const entry = await joined(store, order.joinTo, { head: kept, part, response });
    if (entry !== undefined) return { kind: 'freshened', entry, route, cookies: cookiesOf(response) };
  }
  const length = response.contentLength;
  const writer = storable
    ? store.write({
        key: request.url,
        head: kept,
        length,
        part,
        tags: surrogateKeys(new Fields(response.fields)),
      })
    : undefined;
  const content = hasContent(request.method, response.status)
    ? new SharedContent(response.whole ?? response.content, {
        writer,
        length,
        onWhole: (ended) => parts.settling.note(request.url, ended),
        goOnAlone: (received) => {
          if (writer === undefined) return false;
          if (order.unattended === true) return clock.now() < times.receivedAtMs + maxRefreshMs;
          return (length ?? received) <= aloneBytes || received * 2 >= (length ?? Infinity);
        },
      })
    : undefined;
  if (order.unattended === true && route.to === 'origin')
    content?.onBroken(({ error }) =>
      parts.troubles.note(request.origin?.url ?? urlOfKey(request.url), error),
    );
  if (content === undefined && response.whole === undefined) response.content.resume();
  // The content of a 204, which is empty, is not read: it is stored before the head is sent.
  if (response.status === 204) await content?.ended;
  return {
    kind: 'response',
    head,
    kept,
    response,
    content,
    storing: writer !== undefined,
    part,
    storedBy: isOvertaken
      ? 'overtaken'
      : variesOnAll
        ? 'vary-all'
        : storable && writer === undefined
          ? notAdmitted(store, length)
          : verdict.rule,
    route,
    named: again && { cookies: cookiesOf(answered) },
  };
}

/** The same head with other fields. Without a spread: a copy that begins with a spread gets its own hidden class. */
function headWith(head: StoredHead, fields: RawFields): StoredHead {
  const { url, status, reason, requestedAtMs, receivedAtMs, selecting, authorized } = head;
  return { url, status, reason, fields, requestedAtMs, receivedAtMs, selecting, authorized };
}

/** The rule for a storable response that the store did not admit. */
function notAdmitted(store: CacheParts['store'], length: number | undefined): RuleName {
  // A full disk reduces the max size of a response, too.
  if (['full', 'failing'].includes(store.statistics().disk.state)) return 'store-trouble';
  return length !== undefined && length > store.largestBytes ? 'too-large' : 'no-room';
}

function inPlaceOf304(
  variant: NamedVariant,
  times: ExchangeTimes,
  isOvertaken: boolean,
): UpstreamResponse | undefined {
  if (!isOvertaken) return variant.response(times);
  variant.drop();
  return undefined;
}

/** A part is stored under the head that the whole would have (RFC 9111 3.3). */
function wholeHead(head: StoredHead): StoredHead {
  return { ...head, status: 200, reason: 'OK', fields: withoutFields(head.fields, contentRangeNames) };
}

/**
 * Updates the stored responses that a 304 freshens (RFC 9111 4.3.4) and returns the first. The 304 applies
 * only to this request: responses for other values of Vary's fields stay as they are, even with the same tag.
 */
function freshen(
  validated: readonly Entry[],
  response: UpstreamResponse,
  times: ExchangeTimes,
  requestFields: Fields,
  { store }: CacheParts,
): Entry | undefined {
  const received = new Fields(response.fields);
  let first: Entry | undefined;
  const heads = freshenedBy(
    validated.map(({ head }) => head),
    received,
  );
  const isFreshened = ({ head }: Entry) => heads.includes(head) && matches(head, requestFields);
  for (const entry of validated.filter(isFreshened)) {
    const made = store.updateHead(entry, headAfter304(entry.head, received, times));
    first ??= made;
  }
  return first;
}
