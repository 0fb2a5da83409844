import type { Area } from './feature.ts';

export const library: Area = {
  'lib.soif': {
    feature:
      'The package exports garner/soif: parser, writer, checker, digests and signatures of summary objects.',
    test: 'a program reads the SOIF text of a Broker and verifies the signature of its Gatherer',
  },
  'lib.query': {
    feature: 'The package exports garner/query: the query language as a parser, a printer and a predicate.',
    test: 'a program finds with garner/query what a Broker finds',
  },
  'lib.awareness': {
    feature:
      'The package exports garner/awareness: schemes, costs, sketches, fingerprints and a copy in memory.',
    test: 'a copy in memory learns inserts, changes and deletions of a Gatherer by every scheme',
  },
  'lib.wire': {
    feature: 'The package exports garner/wire: a program connects to a Gatherer and collects its objects.',
    test: 'a program is notified by a hint and collects what changed',
  },
  'lib.client': {
    feature:
      'The package exports garner/client: the HTTP API of a Broker with typed answers and errors, in bounds.',
    test: 'the client searches a Broker with every parameter, page by page and hit by hit',
  },
  'lib.examples': {
    feature: 'Every example in the docstrings of the library and in its page of the manual runs.',
    test: 'every example of the package and of its page in the manual runs',
  },
  'lib.types': {
    feature:
      'The declarations of the library are complete: a strict program that checks them whole compiles.',
    test: 'the installed package compiles and runs in a strict program, as nodenext and for a bundler',
  },
};
