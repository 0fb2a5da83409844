import type { Area } from './feature.ts';

export const cachePeers: Area = {
  'cache.levels': {
    feature: 'In three levels of caches a thousand requests at once are one fetch from the server.',
    test: 'a thousand concurrent requests cause one fetch from the origin',
  },
  'cache.levels-status': {
    feature: 'Each cache on the way says in Cache-Status what it did.',
    test: 'RFC 9211 2: each hop adds its own entry',
  },
  'cache.levels-purge': {
    feature: 'A purge is of one cache, and the caches above it keep what they have.',
    test: 'a purge applies to one cache: the cache above it answers, until it is purged too',
  },
  'cache.levels-change': {
    feature: 'A change through a leaf outdates what is stored at every level on its way.',
    test: 'RFC 9111 4.4: a change through a leaf invalidates the responses at every level on its way',
  },
  'cache.levels-stale': {
    feature: 'A stale answer goes to clients and never to a child cache.',
    test: 'RFC 5861 3: a stale response answers a client while it is validated, but not a child',
  },
  'cache.dead-parent': {
    feature: 'A parent that refuses costs nothing and is used again when it returns.',
    test: 'a parent that refuses costs nothing; when it is back it is used again',
  },
  'cache.hanging-parent': {
    feature: 'A parent that takes everything and never answers costs the time-out once.',
    test: 'a parent that accepts everything and never answers costs the time-out once',
  },
  'cache.levels-process': {
    feature: 'Three levels of proxies, each a process, ask a server once.',
    test: 'three levels of proxies send one request to the origin for many concurrent requests',
  },
  'cache.icp': {
    feature: 'A cache answers ICP queries with HIT for what is fresh and MISS otherwise.',
    test: 'RFC 2186: who asks is told HIT for what is fresh, MISS for what is stale or not there',
  },
  'cache.icp-denied': {
    feature: 'A cache that may not ask by ICP gets DENIED.',
    test: 'RFC 2186 2: who may not ask is told DENIED, but not without end',
  },
  'cache.htcp': {
    feature: 'HTCP tests, clears and no-operations are answered.',
    test: 'RFC 2756 3: TST, CLR and NOP are answered',
  },
  'cache.htcp-clear': {
    feature: 'A purge is passed on to peers by HTCP, and a peer obeys only caches that may clear.',
    test: 'a purge is handed on to peers by HTCP, who obey only those that may clear',
  },
  'cache.htcp-signed': {
    feature: 'Between peers with a key only signed HTCP counts.',
    test: 'RFC 2756 2: between peers with a key nothing counts that is not signed with it, and what is signed does',
  },
  'cache.digest': {
    feature: 'A digest tells what is stored, and a cache that has it asks nobody.',
    test: 'our digest tells what is stored, and a node that has it asks nobody',
  },
  'cache.peer-fuzz': {
    feature: 'Forged ICP, HTCP and digests never make a cache fail.',
    test: 'no ICP datagram of 5000 forged ones makes the door fail, and all are accounted for',
  },
  'cache.sibling-first': {
    feature: 'A sibling that has an object gets the request before slower parents.',
    test: 'RFC 2187 5: a sibling that has it gets the request, before parents that took longer',
  },
  'cache.first-parent': {
    feature: 'When all peers miss, the parent that said so first gets the request.',
    test: 'when all miss, the first parent that said so gets the request, the others after it, then the origin',
  },
  'cache.race': {
    feature: 'The server takes part in the race with the peers.',
    test: 'the origin in the race: when it answers before any hit it is asked itself',
  },
  'cache.domain': {
    feature: 'A parent for a domain gets its URLs without a question.',
    test: 'a parent bound to a domain gets its URLs without a question, and no others',
  },
  'cache.direct': {
    feature: 'Requests that no other cache can have go to the server.',
    test: 'what no cache has is not asked for: other methods, stop texts, Authorization, local domains',
  },
  'cache.never-direct': {
    feature: 'With `cache.never-direct` everything goes through parents.',
    test: 'where origins cannot be reached, everything goes through a parent and never to the origin',
  },
  'cache.hash': {
    feature: 'Parents that share by hash each get their own URLs.',
    test: 'parents that share by hash each get their own URLs; the others come after, for when it fails',
  },
  'cache.carp': {
    feature: 'CARP chooses the same parent as Squid.',
    test: 'CARP chooses as squid 5.7 does: its choices of 60 among three parents, by equal and by other weights',
  },
  'cache.dead-peer': {
    feature: 'A peer is dead after twenty questions without an answer, and alive again with the next answer.',
    test: 'RFC 2187 5.3: a peer is dead after twenty questions without an answer, and alive with the next answer',
  },
  'cache.peer-names': {
    feature: 'A peer whose host has no address is shown as of an unknown name.',
    test: 'a peer whose host has no address is of an unknown name until it has one, and stays known from then on',
  },
  'cache.only-parent': {
    feature: 'A single parent gets requests without a question once it has answered sixteen.',
    test: 'a parent that nobody else may outdo gets requests without a question when it has answered sixteen',
  },
  'cache.lame-parent': {
    feature: 'What a parent cannot fetch is fetched another way, and others are asked before it for a while.',
    test: 'what a parent says it could not fetch is asked of the next one, and it is lame when that could',
  },
  'cache.sibling-refusal': {
    feature: 'A sibling that refuses in its own words is passed over.',
    test: 'a sibling that refuses in its own words is passed over; what it has is taken',
  },
  'cache.squid-sibling': {
    feature: 'Squid as a sibling by ICP gets and gives hits.',
    test: 'squid as our sibling by ICP: hits both ways, misses go to the origin',
  },
  'cache.squid-parent': {
    feature: 'Squid as a parent by ICP is asked first and fetches what it lacks.',
    test: 'squid as our parent by ICP: it is asked first and fetches what it has not',
  },
  'cache.squid-child': {
    feature: "Squid as a child sees Garner's hits and misses.",
    test: 'squid as our child by ICP: it sees our hits and misses, and we fetch for it',
  },
  'cache.squid-variants': {
    feature: 'Squid and Garner never give each other another variant.',
    test: 'no false serve: squid is never given another variant, nor we, though ICP cannot tell them apart',
  },
  'cache.squid-htcp': {
    feature: 'Squid and Garner have each other forget by HTCP.',
    test: 'HTCP with squid: hits both ways, and each has the other forget',
  },
  'cache.squid-digests': {
    feature: "Squid and Garner read each other's digests.",
    test: 'digests: squid finds ours, we find squid, and what was in one and is gone is fetched elsewhere',
  },
  'cache.squid-carp': {
    feature: 'A Squid before three caches and Garner choose the same cache for each URL.',
    test: 'CARP: a squid before three of our nodes and we choose the same one for each of 40 URLs',
  },
  'cache.squid-dies': {
    feature: 'A Squid that dies costs the time-out once.',
    test: 'a squid that dies costs us the time-out once; when we die, squid goes on',
  },
};
