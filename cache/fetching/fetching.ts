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
import type { ByteRange, Entry, EntryStore } from '../storage/index.ts';
import { forward } from './forwarding.ts';
import { joined } from './joining.ts';
import type { OriginFailures } from './origin-failures.ts';
import { type NamedVariant, namedVariant } from './other-variants.ts';
import { withDirective } from './outgoing-fields.ts';
import type { PendingWrites } from './pending-writes.ts';
import type { RecentInvalidations } from './recent-invalidations.ts';
import { SharedContent } from './shared-content.ts';

/** What the object cache is made of. */
export interface CacheParts {
  readonly store: EntryStore;
  readonly upstream: Upstream;
  readonly router: PeerRouter;
  readonly policy: CachePolicy;
  /** How this cache is called in Via and Cache-Status. */
  readonly name: string;
  readonly clock: Clock;
  readonly random: Random;
  /** Takes up what a fast lane may answer. */
  readonly ready?: PrebuiltHits;
}

/** The same within the object cache, which also knows what was changed of late. */
export interface FetchParts extends CacheParts {
  readonly changes: RecentInvalidations;
  readonly settling: PendingWrites;
  readonly troubles: OriginFailures;
}

/** An upstream's answer, and what may be done with it. */
export type Fetched =
  | {
      /** A response of its own; it is being stored when `storing`. */
      readonly kind: 'response';
      readonly head: StoredHead;
      /** What is kept of it, for those who did not ask for it themselves. */
      readonly kept: StoredHead;
      readonly response: UpstreamResponse;
      /** Shared by all who wait; absent when the response has no content or only one may have it. */
      readonly content: SharedContent | undefined;
      readonly storing: boolean;
      readonly part: (ByteRange & { readonly total: number }) | undefined;
      readonly storedBy: RuleName;
      readonly route: Route;
      /** It is a stored variant that a 304 has named; cookies that came with that are for nobody but who asked. */
      readonly named: { readonly cookies: RawFields } | undefined;
    }
  | {
      /** What is stored was told to be good still, or has got what it lacked. */
      readonly kind: 'freshened';
      readonly entry: Entry;
      readonly route: Route;
      /** Cookies that came with it: for nobody but who asked. */
      readonly cookies: RawFields;
    };

/** What one fetch asks for. */
export interface FetchOrder {
  readonly request: CacheRequest;
  /** What is sent: complete but for Via and what a route adds. */
  readonly fields: RawFields;
  readonly signal: AbortSource;
  /** Stored responses that a 304 may speak of. */
  readonly validated: readonly Entry[];
  /** Nobody waits for it: a refresh behind a stale answer, of whatever size. */
  readonly unattended?: boolean;
  /** They were stored for other requests: a 304 may name one as what this request gets too. */
  readonly areOthers?: boolean;
  /** A stored part that a 206 may belong to. */
  readonly joinTo?: Entry;
}

/** Contents up to this go on to be stored when those who asked for them wait no more. */
const aloneBytes = 16 * 1024 * 1024;

/** A refresh that nobody waits for is given up after so long: an origin that drips would hold it for ever. */
const maxRefreshMs = 3_600_000;

const contentRangeNames: ReadonlySet<string> = new Set(['content-range', 'content-length']);

/** The head to be kept of a response: RFC 9111 3.1. */
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

/** Whether a response has content at all: RFC 9112 6.3. */
const hasContent = (method: string, status: number) => method !== 'HEAD' && status !== 304;

const cookiesOf = ({ fields }: UpstreamResponse): RawFields =>
  new Fields(fields).lines('set-cookie').flatMap((line) => ['Set-Cookie', line]);

const isRead = (method: string) => method === 'GET' || method === 'HEAD';

/** Ask upstream once, and begin to store what may be stored. */
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
  // It may be older than a change that ended while it was asked for; a change from now on finds it in the store's hands.
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
  // Nobody reads the content that a 204 does not have: it is stored when the head goes out.
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

/** The same head with other fields. Each in its place: a copy that begins with a spread gets a hidden class of its own. */
function headWith(head: StoredHead, fields: RawFields): StoredHead {
  const { url, status, reason, requestedAtMs, receivedAtMs, selecting, authorized } = head;
  return { url, status, reason, fields, requestedAtMs, receivedAtMs, selecting, authorized };
}

/** Which rule says why the store did not begin to keep what may be stored. */
function notAdmitted(store: CacheParts['store'], length: number | undefined): RuleName {
  // A full disk makes what may be kept smaller, too.
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

/** A part is kept under the head that the whole would have (RFC 9111 3.3). */
function wholeHead(head: StoredHead): StoredHead {
  return { ...head, status: 200, reason: 'OK', fields: withoutFields(head.fields, contentRangeNames) };
}

/**
 * RFC 9111 4.3.4: which stored responses a 304 speaks of, with their heads made new. It speaks to this request alone: what
 * is stored for other values of Vary's fields stays as it is, the same tag or not.
 */
function freshen(
  validated: readonly Entry[],
  response: UpstreamResponse,
  times: ExchangeTimes,
  asked: Fields,
  { store }: CacheParts,
): Entry | undefined {
  const told = new Fields(response.fields);
  let first: Entry | undefined;
  const heads = freshenedBy(
    validated.map(({ head }) => head),
    told,
  );
  const isMeant = ({ head }: Entry) => heads.includes(head) && matches(head, asked);
  for (const entry of validated.filter(isMeant)) {
    const made = store.updateHead(entry, headAfter304(entry.head, told, times));
    first ??= made;
  }
  return first;
}
