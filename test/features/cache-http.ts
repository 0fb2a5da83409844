import type { Area } from './feature.ts';

export const cacheHttp: Area = {
  'cache.store-explicit': {
    feature: 'A response to GET that says how long it is fresh is stored.',
    test: 'RFC 9111 3: a response to GET with explicit freshness is stored',
  },
  'cache.key': {
    feature: 'The whole URL is the key, so another query is another response.',
    test: 'RFC 9111 2: the key is the whole target URI: another query is another response',
  },
  'cache.not-stored': {
    feature: 'A response without freshness, validator or permission is not used again.',
    test: 'RFC 9111 3: a response without freshness, validator or permission is not used again',
  },
  'cache.no-store': {
    feature: '`no-store` in a response keeps it out of the cache.',
    test: 'RFC 9111 5.2.2.5: a response with no-store is not stored, in any case of letters, with any other directives',
  },
  'cache.private': {
    feature: 'A `private` response is never stored by the shared cache.',
    test: 'RFC 9111 5.2.2.7: a private response is not stored by a shared cache',
  },
  'cache.authorization': {
    feature: 'The answer to a request with Authorization is not used again unless the response allows it.',
    test: 'RFC 9111 3.5: the answer to a request with Authorization is not used again, not even for the same user',
  },
  'cache.post': {
    feature: 'The answer to a POST is stored under its own URL when it says so.',
    test: 'RFC 9110 9.3.3: the answer to POST with freshness and its own URI as Content-Location answers a later GET',
  },
  'cache.must-understand': {
    feature: '`must-understand` with a known status outweighs `no-store`.',
    test: 'RFC 9111 5.2.2.3: must-understand with a known status outweighs no-store',
  },
  'cache.broken-off': {
    feature: 'A response that breaks off is never taken for a whole one.',
    test: 'RFC 9111 3.3: an incomplete content is not used as a complete one',
  },
  'cache.parts': {
    feature: 'A stored part answers ranges within it and never the whole.',
    test: 'RFC 9111 3.3: a part answers requests for ranges within it, and no request for the whole',
  },
  'cache.combine': {
    feature: 'Parts with the same strong validator are combined, and only what lacks is asked for.',
    test: 'RFC 9111 3.4: parts with the same strong validator are combined; only missing bytes are requested',
  },
  'cache.connection-fields': {
    feature: 'Fields of the connection are neither passed on nor stored.',
    test: 'RFC 9111 3.1: fields of the connection are neither passed on nor stored',
  },
  'cache.fresh': {
    feature: 'A response is fresh while its lifetime is more than its age.',
    test: 'RFC 9111 4.2: a response is fresh while its lifetime is more than its age',
  },
  'cache.s-maxage': {
    feature: '`s-maxage` counts before `max-age`.',
    test: 'RFC 9111 4.2.1: s-maxage overrides max-age, longer or shorter, in any order and line',
  },
  'cache.expires': {
    feature: 'Without `max-age` the lifetime is `Expires` minus `Date`.',
    test: 'RFC 9111 4.2.1: without max-age the lifetime is Expires minus Date',
  },
  'cache.heuristic': {
    feature: 'A response with Last-Modified alone is fresh for a tenth of its age.',
    test: 'RFC 9111 4.2.2: without explicit freshness a response is fresh for a tenth of the time since Last-Modified',
  },
  'cache.age': {
    feature: 'An answer from the store has one Age, computed at that moment.',
    test: 'RFC 9111 4: an answer from the store has one Age, the current one',
  },
  'cache.age-upstream': {
    feature: 'The Age that a response came with counts.',
    test: 'RFC 9111 4.2.3: the Age that a response came with counts',
  },
  'cache.cdn-control': {
    feature: '`CDN-Cache-Control` counts before `Cache-Control` for an accelerator.',
    test: 'RFC 9213 2.1: a targeted field overrides Cache-Control and Expires',
  },
  'cache.cdn-settings': {
    feature: 'An accelerator obeys `CDN-Cache-Control`, and a proxy alone does not.',
    test: 'an accelerator obeys what is said to a CDN, a proxy alone does not',
  },
  'cache.get-answers-head': {
    feature: 'A stored response to GET answers HEAD.',
    test: 'RFC 9111 4: a stored response to GET answers HEAD, without its content',
  },
  'cache.collapse': {
    feature: 'Requests for the same at one time become one request to the server.',
    test: 'RFC 9111 4: concurrent requests are sent on once, and each gets the answer',
  },
  'cache.collapse-private': {
    feature: 'Requests at one time never share an answer that may not be stored.',
    test: 'RFC 9111 4: concurrent requests do not share an answer that may not be stored',
  },
  'cache.vary': {
    feature: 'A response with Vary answers only requests whose named fields are the same.',
    test: 'RFC 9111 4.1: a varying response answers only requests whose named fields are the same',
  },
  'cache.variants': {
    feature: 'Variants of one URL are kept beside each other.',
    test: 'RFC 9111 4.1: several variants are stored',
  },
  'cache.vary-star': {
    feature: 'A response with `Vary: *` never answers another request.',
    test: 'RFC 9111 4.1: Vary with * never answers another request, with the * at any place',
  },
  'cache.vary-languages': {
    feature: 'Languages in Vary are compared without regard to case and order.',
    test: 'RFC 9111 4.1: languages are compared without regard to case and order',
  },
  'cache.vary-tags': {
    feature: 'On a miss by Vary the server is asked about the stored entity tags, and a 304 selects one.',
    test: 'RFC 9111 4.1: on a miss by Vary the tags of what is stored are asked about, and a 304 selects one',
  },
  'cache.vary-encoding': {
    feature: 'What is stored for another Accept-Encoding is not asked about on a miss.',
    test: 'what was stored for another Accept-Encoding is not asked about, on a miss and with what is validated',
  },
  'cache.request-max-age': {
    feature: '`max-age` in a request refuses what is older.',
    test: 'RFC 9111 5.2.1.1: max-age in a request refuses older responses',
  },
  'cache.request-max-stale': {
    feature: '`max-stale` in a request takes what is stale.',
    test: 'RFC 9111 5.2.1.2: max-stale in a request accepts stale responses, up to its seconds',
  },
  'cache.request-no-cache': {
    feature: '`no-cache` in a request has the stored response validated.',
    test: 'RFC 9111 5.2.1.4: no-cache in a request makes the cache validate the stored response',
  },
  'cache.only-if-cached': {
    feature: '`only-if-cached` is answered from the store or with 504.',
    test: 'RFC 9111 5.2.1.7: only-if-cached is answered from the store or with 504',
  },
  'cache.pragma': {
    feature: '`Pragma: no-cache` counts in a request without Cache-Control.',
    test: 'RFC 9111 5.4: Pragma with no-cache counts in a request without Cache-Control',
  },
  'cache.response-no-cache': {
    feature: '`no-cache` in a response has it validated before each use.',
    test: 'RFC 9111 5.2.2.4: a response with no-cache is validated before each use',
  },
  'cache.stale-if-down': {
    feature: 'A stale response stands in while the server cannot be reached.',
    test: 'RFC 9111 4.2.4: a stale response is served while the origin cannot be reached',
  },
  'cache.must-revalidate': {
    feature: 'Nothing stale is given where a directive forbids it.',
    test: 'RFC 9111 4.2.4: no stale response is served where a directive forbids it: 504 or 502',
  },
  'cache.stale-while-revalidate': {
    feature: '`stale-while-revalidate` answers at once and validates behind the answer.',
    test: 'RFC 5861 3: stale-while-revalidate answers at once and validates in the background, within its window',
  },
  'cache.stale-not-to-caches': {
    feature: 'Another cache gets no stale answer for `stale-while-revalidate`.',
    test: 'RFC 5861 3: another cache gets no stale answer for stale-while-revalidate',
  },
  'cache.stale-if-error': {
    feature: '`stale-if-error` stands in for an error of the server within its window.',
    test: 'RFC 5861 4: stale-if-error serves a stale response on an error of the origin, within its window',
  },
  'cache.validate-etag': {
    feature: 'A stale response is validated by its entity tag.',
    test: 'RFC 9111 4.3.1: a stale response is validated by its entity tag, strong or weak, as it is written',
  },
  'cache.validate-date': {
    feature: 'A stale response is validated by its Last-Modified.',
    test: 'RFC 9111 4.3.1: a stale response is validated by its Last-Modified, as it is written',
  },
  'cache.client-304': {
    feature: 'A client that has the stored response gets 304.',
    test: 'RFC 9111 4.3.2: If-None-Match is answered from a fresh response with 304, comparing weakly',
  },
  'cache.freshened': {
    feature: 'A 304 makes the stored response fresh again.',
    test: 'RFC 9111 4.3.3: a 304 makes the stored response fresh again',
  },
  'cache.updated-fields': {
    feature: 'The fields of a 304 replace those stored.',
    test: 'RFC 9111 3.2: the fields of a 304 replace the stored ones; others stay',
  },
  'cache.head-update': {
    feature: 'A HEAD freshens the stored response or makes it stale.',
    test: 'RFC 9111 4.3.5: a 200 to HEAD with the same validators makes the stored response fresh',
  },
  'cache.ranges': {
    feature: 'Ranges are answered from a stored whole.',
    test: 'RFC 9110 14.2: ranges are answered from a stored complete response',
  },
  'cache.range-416': {
    feature: 'A range beyond the end is answered with 416 and the length.',
    test: 'RFC 9110 15.5.17: a range beyond the end is answered with 416 and the length',
  },
  'cache.if-range': {
    feature: 'If-Range gives the part when the strong validator is the same, and the whole otherwise.',
    test: 'RFC 9110 13.1.5: If-Range gives the part when the strong validator is the same, the whole otherwise',
  },
  'cache.multipart': {
    feature: 'Several ranges are given as parts in the order that was asked for.',
    test: 'RFC 9110 15.3.7.2: several ranges are given as parts, in the order they were asked for',
  },
  'cache.invalidate': {
    feature: 'A successful change makes what is stored under its URL unusable.',
    test: 'RFC 9111 4.4: a successful change makes the stored responses of its target unusable',
  },
  'cache.invalidate-location': {
    feature: 'A change also outdates what its Location and Content-Location name at the same server.',
    test: 'RFC 9111 4.4: the targets of Location and Content-Location at the same origin become unusable too',
  },
  'cache.invalidate-flight': {
    feature: 'A response that was asked for before a change is not used as new.',
    test: 'RFC 9111 4.4: a response requested before a change and received after it is not fresh',
  },
  'cache.failed-change': {
    feature: 'A change that fails leaves what is stored.',
    test: 'RFC 9111 4.4: a failed change leaves the stored responses usable',
  },
  'cache.via': {
    feature: 'Requests and answers have Via with this cache behind those before.',
    test: 'RFC 9110 7.6.3: requests and answers have Via with this cache after earlier ones',
  },
  'cache.loop': {
    feature: 'A request that came through this cache before is refused as a loop.',
    test: 'RFC 9110 7.6.3: a request that came through this cache before is refused as a loop',
  },
  'cache.cache-status': {
    feature: '`Cache-Status` shows hit or miss, the reason, what was stored and how long it lasts.',
    test: 'RFC 9211 2: Cache-Status gives hit, the reason for forwarding, stored and the remaining lifetime',
  },
  'cache.proxy-status': {
    feature: '`Proxy-Status` names the cause of an error of the cache.',
    test: 'RFC 9209 2.3: Proxy-Status names the cause of an answer that the cache itself made',
  },
  'cache.proxy-status-causes': {
    feature:
      '`Proxy-Status` distinguishes an unknown name, a refused port, a slow connection and a bad certificate.',
    test: 'RFC 9209 2.3: Proxy-Status says what kept a connection from coming about, and the hint what helps',
  },
  'cache.negative': {
    feature: 'An error without a lifetime is kept for the time that `cache.negative-ttl` sets.',
    test: 'an error without freshness of its own is kept for the time the operator set, if that status is listed',
  },
  'cache.ttl-rules': {
    feature:
      'The first rule of `cache.ttl-rules` that matches bounds guessed lifetimes and caps stated ones.',
    test: 'the first rule for a URL that matches bounds what is guessed, and caps what is said',
  },
  'cache.ttl-private': {
    feature: 'A rule of the operator never stores what is private.',
    test: 'a rule of the operator stores what says nothing of itself, but nothing that is private',
  },
  'cache.set-cookie': {
    feature: 'A response with a cookie is kept for others only when it says that it is fresh or public.',
    test: 'a cookie is kept for others only with a response that says that it is fresh or for all',
  },
  'cache.session-safe': {
    feature: 'Nobody gets the session of another client, although the page is validated and shared.',
    test: 'who logs in gives no session to those after them, though the page is validated and shared',
  },
  'cache.client-reload': {
    feature: 'With `cache.client-reload: ignore` clients cannot get past an accelerator by reloading.',
    test: 'RFC 9111 5.2.1: what clients want newer than what is stored counts, unless an accelerator ignores it',
  },
  'cache.ignore-query': {
    feature: 'URLs that differ only in ignored parameters share one response.',
    test: 'what differs in ignored parameters and their order is one response, purged and explained under any of its URLs',
  },
  'cache.strip-query': {
    feature: 'With `cache.strip-query` servers do not get ignored parameters.',
    test: 'servers are not sent ignored parameters where that is wanted',
  },
  'cache.sort-query': {
    feature: '`cache.sort-query` makes URLs with the same parameters in another order one response.',
    test: 'what differs in ignored parameters and their order is one response, purged and explained under any of its URLs',
  },
  'cache.ignore-cookies': {
    feature: 'Ignored cookies are taken out of requests.',
    test: 'ignored cookies are taken out, the rest stays as it came',
  },
  'cache.vary-cookie': {
    feature: 'A response that varies by Cookie is shared by clients whose other cookies are the same.',
    test: 'RFC 9111 4.1: a response that varies by Cookie is one for all whose other cookies are the same',
  },
  'cache.poisoning': {
    feature: 'What one client says of its host, target or method is no part of what others get.',
    test: 'what one client says of its host, target or method is no part of what others get',
  },
  'cache.thousand': {
    feature: 'A thousand clients that want the same make one request, and each gets all of it.',
    test: 'a thousand who want the same make one request, and each gets all of it',
  },
  'cache.leaving': {
    feature:
      'A client that leaves does not take the answer from others, and when all have left the fetch ends.',
    test: 'one who leaves does not take the answer from the others; when all have left the origin is let go',
  },
  'cache.collapse-wait': {
    feature: "A client that waits for another's fetch waits at most `cache.collapse-wait`.",
    test: 'a client waits no longer than configured for another client’s fetch that does not end',
  },
  'cache.nginx-compression': {
    feature: 'Before an nginx that compresses, clients without compression keep getting plain answers.',
    test: 'a client without compression does not take it from others in front of an nginx that compresses on the fly',
  },
  'cache.max-age-expires': {
    feature: '`max-age` counts before `Expires`.',
    test: 'RFC 9111 4.2.1: max-age overrides Expires, also a later, past or invalid one',
  },
};
