import type { Area } from './feature.ts';

export const searchApi: Area = {
  'api.fields': {
    feature: 'A search returns only the fields of hits that the caller selects.',
    test: 'fields selects the fields of hits, in JSON and in JSON lines',
  },
  'api.several': {
    feature: 'One request may hold several searches, each answered as alone.',
    test: 'several searches in one request are answered as alone, and a failing one fails alone',
  },
  'api.etag': {
    feature:
      'An answer has an entity tag that changes with the index and settings, and a known one gets 304.',
    test: 'an answer has an entity tag, which changes with the index and with settings',
  },
  'api.etag-moments': {
    feature: 'An answer that depends on the time of the query has no entity tag.',
    test: 'an age in a query and a frozen list have no entity tag',
  },
};
