import type { Area } from './feature.ts';

export const engine: Area = {
  'engine.conformance': {
    feature: 'The index finds the same as reading every object, for random stores and queries.',
    test: 'flexsearch: random stores and queries agree with reading every object (seed 20260101)',
  },
  'engine.reopen': {
    feature: 'What was indexed is found after the index is opened again.',
    test: 'flexsearch: indexed objects are there after reopening (seed 20260101)',
  },
  'engine.one-moment': {
    feature: 'A search that runs while changes arrive sees one moment.',
    test: 'flexsearch: searches that run while changes come see one moment',
  },
  'engine.no-reading': {
    feature: 'Prefixes, errors, NEAR and ranges are answered from the index without reading objects.',
    test: 'the index answers these without reading any object',
  },
  'engine.partial': {
    feature: 'A search that would read too many objects reads some and reports which part it searched.',
    test: 'where too much would have to be read, a part is read and reported, if allowed',
  },
  'engine.without-positions': {
    feature: 'Without `broker.positions` phrases are found by reading a bounded number of objects.',
    test: 'without positions phrases are found by reading a bounded number of objects',
  },
  'engine.other-attributes': {
    feature: 'A query for any attribute works, by reading a bounded number of objects.',
    test: 'an attribute without postings is searched by reading a bounded number of objects',
  },
  'engine.costly': {
    feature: 'An expression that costs too much is given up with what to do.',
    test: 'flexsearch: an expression that keeps building new states is given up with a hint',
  },
  'engine.repeated': {
    feature: 'A query that was answered before reads nothing of the index.',
    test: 'a repeated query reads nothing of the index, whatever the number of languages',
  },
  'engine.mending': {
    feature: 'A search that finds the index damaged reports a partial answer, and the index is built again.',
    test: 'damage found while it runs: the answer is partial and reports that, and the rest follows',
  },
  'engine.damage': {
    feature: 'Whatever happens to the files of an index, it is built again from the store.',
    test: 'after any damage to its files, an index is rebuilt from the store and equals one from scratch',
  },
  'engine.layout': {
    feature: 'An index of an older layout is cleared and filled again.',
    test: 'an index of another layout is cleared without reading its contents',
  },
  'engine.glimpse': {
    feature: 'The Glimpse engine finds the same as reading every object.',
    test: 'glimpse small: random stores and queries agree with reading every object (seed 20260101)',
  },
  'engine.glimpse-tiny': {
    feature: 'A tiny Glimpse index reads few objects for a selective query.',
    test: 'with eight objects in a block a selective query reads few of them',
  },
  'engine.glimpse-small': {
    feature: 'A small Glimpse index needs no reading for words.',
    test: 'with a block for each object words need no reading, and phrases only that of objects with their words',
  },
  'engine.glimpse-medium': {
    feature: 'A medium Glimpse index needs no reading for phrases, NEAR, case and parts of words.',
    test: 'with places words, phrases and NEAR need no reading, in one attribute, by case, or in part',
  },
  'engine.switch': {
    feature: 'One Broker can answer with one engine, then with another, and with the first again.',
    test: 'a Broker answers with one engine, with another, and with the first again',
  },
  'engine.language': {
    feature: 'A word finds its forms in the language of each object.',
    test: 'a word finds its forms in the language of each object',
  },
  'engine.language-counts': {
    feature: 'The number of objects in each language is known.',
    test: 'languages are counted, and a query skips those without objects',
  },
  'engine.fallback': {
    feature: 'An index made for another fallback language is built again.',
    test: 'an index made with another fallback is rebuilt; without a given fallback it is used as found',
  },
};
