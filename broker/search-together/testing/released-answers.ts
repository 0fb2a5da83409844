// What the released version 0.2.0 answered about four pages; recorded once, and never changed.

/** `GET /statistics?q=harbour+tide`. */
export const statisticsOf02 = {
  objects: 4,
  terms: [
    { field: 'all', term: 'harbour', objects: 4, occurrences: 5 },
    { field: 'title', term: 'harbour', objects: 1, occurrences: 1 },
    { field: 'all', term: 'tide', objects: 4, occurrences: 5 },
    { field: 'title', term: 'tide', objects: 1, occurrences: 1 },
  ],
  text: '[4,["all","harbour",4,5],["all","tide",4,5],["title","harbour",1,1],["title","tide",1,1]]',
};

/** `GET /search?q=harbour+tide&limit=2&fold=1&offset=0&widen=no&statistics=...`. */
export const answerOf02 = {
  query: 'harbour tide',
  understood: 'harbour AND tide',
  notes: [],
  rebuilding: null,
  total: 4,
  entries: 3,
  tookMs: 3.44,
  relaxed: false,
  hits: [
    {
      oid: '7-aj0_Kf5XOReYxXxDt9QLi9-fxm3MUOnNbq3VRuCQs',
      url: 'https://harbour.example/a.html',
      title: 'Tides of the harbour',
      titleMatches: [
        [0, 5],
        [13, 20],
      ],
      snippet: 'the tide of the harbour comes twice a day',
      matches: [
        [4, 8],
        [16, 23],
      ],
      attributes: ['Full-Text', 'Title'],
      lines: [],
      score: 0.378,
      source: 'PszAl_Zm592SbsCf9hpQbQ',
      sourceName: 'docs/site',
      type: 'HTML',
      size: 80,
      updatedAt: 1795754846,
      modifiedAt: 1795754845,
      also: [],
      alsoTotal: 0,
      access: [],
      shown: [],
    },
    {
      oid: 'OPWMlh26kyvzTmNCN8ATw4TOKe_N9X0bVm4c4HXiBgY',
      url: 'https://harbour.example/b.html',
      title: 'Mooring',
      titleMatches: [],
      snippet: 'a mooring in the harbour at high tide',
      matches: [
        [17, 24],
        [33, 37],
      ],
      attributes: ['Full-Text'],
      lines: [],
      score: 0.115,
      source: 'PszAl_Zm592SbsCf9hpQbQ',
      sourceName: 'docs/site',
      type: 'HTML',
      size: 63,
      updatedAt: 1795754846,
      modifiedAt: 1795754845,
      also: [],
      alsoTotal: 0,
      access: [],
      shown: [],
    },
  ],
  facets: {
    source: [{ value: 'PszAl_Zm592SbsCf9hpQbQ', name: 'docs/site', count: 4 }],
    type: [{ value: 'HTML', count: 4 }],
    more: [{ name: 'year', values: [{ value: '2026', count: 4 }] }],
  },
  sources: [{ id: 'PszAl_Zm592SbsCf9hpQbQ', name: 'docs/site', state: 'ok' }],
  suggestion: null,
  corrected: null,
  cursor: null,
};
