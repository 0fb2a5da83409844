import type { Area } from './feature.ts';

export const cache: Area = {
  'cache.why': {
    feature: '`garner cache why` names the rule of what is stored and of what is not.',
    test: 'why states the rule for stored and unstored responses, by URL or by path at the origin',
  },
  'cache.why-fields': {
    feature: '`why` with fields shows which variant a request would get.',
    test: 'why states which variant a request with fields would get',
  },
  'cache.why-failed': {
    feature: 'A request that failed is remembered by `why` with what failed, counted and logged.',
    test: 'a request whose origin does not answer is a decision: recorded with the failure, counted, and reported',
  },
  'cache.why-broken': {
    feature: 'An answer that breaks off is remembered with how far it came.',
    test: 'an answer that breaks off is recorded, counted and reported, with its bytes',
  },
  'cache.why-setting': {
    feature: '`why` names the setting that bounds a lifetime and what it would be without.',
    test: 'a setting that bounds a lifetime is named, with what it would be without',
  },
  'cache.why-change': {
    feature: '`why` shows what would lead to another outcome.',
    test: 'what decided is followed by what would change it, which is said but once',
  },
  'cache.why-purge': {
    feature: '`why` reports the latest purge that meant a URL.',
    test: 'the latest purge of a URL is reported, for both of its keys',
  },
  'cache.why-closed': {
    feature: '`why`, `status` and `purge` work while the cache is not served.',
    test: 'without a running server, commands know the origin and the budgets of the last server',
  },
  'cache.purge': {
    feature: 'A purge takes a URL, a prefix, a tag or everything, and reports how many responses it meant.',
    test: 'a purge takes a URL, a prefix, a tag, or all, and returns the number of responses',
  },
  'cache.purge-soft': {
    feature: 'A soft purge keeps the responses and has each validated before its next use.',
    test: 'a softly purged response is stale, is validated before its next use, and stays',
  },
  'cache.purge-peers': {
    feature: 'A purge is passed on to peers only when asked.',
    test: 'peers are asked to forget a URL on request, and nothing else',
  },
  'cache.purge-admin': {
    feature: 'Purging needs a token of an administrator, and `why` one of a reader.',
    test: 'purging needs the scope admin, why the scope read',
  },
  'cache.purge-closed': {
    feature: 'A purge while the cache is not served works, and a star in the URL leads to a hint.',
    test: 'a purge works without a running server',
  },
  'cache.purge-tags': {
    feature: 'Surrogate keys are read from Surrogate-Key, Cache-Tag and xkey.',
    test: 'surrogate keys are read from their three fields, each once',
  },
  'cache.status': {
    feature: '`garner cache status` shows what is stored, how often it was used and what requests came to.',
    test: 'the status has what is stored, how often it was used, and what requests came to',
  },
  'cache.status-doors': {
    feature: 'The status counts what was refused before the cache was asked, apart from requests.',
    test: 'the status has what doors refused, which is no part of the requests, and what ended in errors, which is',
  },
  'cache.status-origins': {
    feature: 'The status shows every origin with the host that it is for.',
    test: 'one origin is reported beside the name, several each with the host that it is for',
  },
  'cache.page': {
    feature: 'The status page of a cache shows hit ratios, the hottest and largest responses and every peer.',
    test: 'the page tells hit ratios, what is hottest and largest, and every peer',
  },
  'cache.page-picture': {
    feature: 'The status page draws the cache with its origin, parents, siblings and children.',
    test: 'the picture has the cache, its origin, parents, siblings and children, and says how many more there are',
  },
  'cache.page-safe': {
    feature: 'Nothing that a status names becomes markup on its page.',
    test: 'nothing that a status names becomes markup',
  },
  'cache.page-browser': {
    feature: 'The status page of a cache is accessible in light and dark and on narrow screens.',
    test: 'the status page of a cache in a browser',
  },
  'cache.logs': {
    feature: 'Servers that fail and peers that come and go are logged as warnings.',
    test: 'servers that fail and peers that come and go are reported as warnings, requests that fail as debug lines',
  },
  'cache.log-rate': {
    feature: 'A failing server is logged at once and then at most once a minute.',
    test: 'an origin that fails is reported at once, and then once a minute with the number of failures',
  },
  'cache.metrics': {
    feature: 'The manual lists every metric of a cache.',
    test: 'the manual of operation lists every metric of a cache',
  },
  'cache.peer-metrics': {
    feature: 'A peer that is of no use is not up in the metrics.',
    test: 'a peer that is of no use is not up in the metrics, whatever is wrong with it',
  },
  'cache.doctor': {
    feature: '`garner doctor` asks the servers and peers of a cache and names those that deny or are silent.',
    test: 'doctor checks the origin, parents and siblings of a cache, by HTTP and ICP, and names those that deny or are silent',
  },
  'cache.doctor-machine': {
    feature: '`garner doctor` checks ports, certificate and disk of a cache.',
    test: 'doctor knows the ports, the certificate and the disk of the cache of its data folder, served or not',
  },
  'cache.doctor-loop': {
    feature: '`garner doctor` recognises a cache that has itself as its origin.',
    test: 'doctor knows an origin that is the cache itself, served or not',
  },
  'cache.doctor-ca': {
    feature: '`garner doctor` says how to trust a certificate authority of your own.',
    test: 'doctor explains how to trust a private CA, and reports that a name does not exist',
  },
  'cache.refused-settings': {
    feature: 'A cache that cannot be served as configured is refused with what to write.',
    test: 'an invalid configuration of a cache is refused with a hint',
  },
  'cache.settings-place': {
    feature: 'Settings of a cache that cannot be read are refused with their place.',
    test: 'what cannot be read is refused with its place',
  },
  'cache.manual-status': {
    feature: 'The manual explains each reason that Cache-Status gives.',
    test: 'the manual explains each reason for a peer in Cache-Status, and each fwd',
  },
  'cache.hangup': {
    feature: 'A cache whose terminal is closed ends in order.',
    test: 'a cache whose terminal is closed ends as if asked to, without --json',
  },
};
