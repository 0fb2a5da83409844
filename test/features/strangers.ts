import type { Area } from './feature.ts';

export const strangers: Area = {
  'strangers.swapped-names': {
    feature: 'A served folder gives nothing from outside, also while its names are swapped with links.',
    test: 'case a12: names that are swapped with links out of a served folder give nothing from outside',
  },
  'strangers.gathered-names': {
    feature:
      'Nothing outside a gathered folder, mailbox or mapping is read while its names are swapped with links.',
    test: 'names that are swapped with links out of a gathered folder give nothing from outside',
  },
  'strangers.two-hosts': {
    feature: 'Every server refuses a request or an upgrade with two Host headers.',
    test: 'case a11: a request with two Host headers is refused, whatever they say',
  },
  'strangers.origin-scheme': {
    feature: 'A page of another scheme is a page of another origin.',
    test: 'pages of other origins may not post',
  },
  'strangers.share': {
    feature: 'A client address beyond its share of requests gets 429, and another one is answered.',
    test: 'case a01: one address gets 429 with Retry-After beyond its share, and another is answered',
  },
  'strangers.bodies': {
    feature:
      'A request whose body is awaited takes no place of one that is answered, and a body that has no use is refused.',
    test: 'case a01: a route that takes no body refuses one at once, and an awaited body is no request that is answered',
  },
  'strangers.flood': {
    feature:
      'Beside an address with 300 sessions, 300 slow bodies and a flood of wrong tokens others are answered.',
    test: 'cases a01, a02, a08: an address with 300 sessions, 300 slow bodies and a flood of wrong tokens leaves room for others',
  },
  'strangers.fronts': {
    feature: 'Only a proxy that http.fronts lists can name the client of a request.',
    test: 'the headers of a trusted proxy name the client, and those of others are not read',
  },
  'strangers.tokens': {
    feature:
      'Who guesses tokens slows down its own address alone, and a right token is answered from there too.',
    test: 'case a02: a flood of guesses gains nothing by speed, and slows down nobody but its own address',
  },
  'strangers.sessions': {
    feature:
      'A session of a stranger without a channel is closed, and known servers keep a quarter of the places.',
    test: 'case a08: a stranger without a channel is sent away, and known servers keep places of their own',
  },
  'strangers.log': {
    feature:
      'Of the log lines that callers cause, thirty of a kind are written a minute, and then how many were not.',
    test: 'case a06: of the lines that callers cause thirty of a kind are written a minute, and then how many were not',
  },
};
