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
  'api.embed': {
    feature:
      'One script tag puts an accessible search box on a page of another origin, without tracking or cookies.',
    test: 'case b21: a search box of one script tag works on another origin',
  },
  'api.opensearch': {
    feature: 'A browser finds an OpenSearch description on each page of a Broker, with suggestions.',
    test: 'case b21: a browser finds the OpenSearch description on each page and adds the search',
  },
  'api.openapi-answers': {
    feature:
      'Every described route of a Broker, Gatherer, Registry and Object Cache answers with a status, media type and body that OpenAPI describes, and no schema says only that there is an object.',
    test: 'case b31: each route of every kind of server answers as OpenAPI describes it',
  },
  'api.openapi-search': {
    feature: 'OpenAPI names every field of a search, and its choices and limits are the real ones.',
    test: 'case b31: the description of a search names every field and every choice',
  },
  'api.manual': {
    feature: 'The error that the manual shows is the one that a search gives.',
    test: 'case b18: the manual says what an error of a search is',
  },
};
