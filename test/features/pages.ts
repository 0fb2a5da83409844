import type { Area } from './feature.ts';

/** The pages of a Broker: parts of documents, summaries, administration, the operator's name. */
export const pages: Area = {
  'pages.anchors': {
    feature: 'The Gatherer records the identifier of each heading of a page.',
    test: 'a heading has its own identifier, that of what begins with it, or one inside it',
  },
  'pages.anchors-short': {
    feature: 'An identifier that a rule makes of its heading takes one byte.',
    test: 'identifiers that a rule makes of their heading take one byte each',
  },
  'pages.anchors-bounded': {
    feature: 'Identifiers of headings from a network are bounded, and what is no identifier is left out.',
    test: 'values from a network are bounded, and what is no identifier is left out',
  },
  'pages.anchors-level': {
    feature: 'At each level of summary a heading keeps its identifier.',
    test: 'each heading that a level keeps has its own identifier',
  },
  'pages.section': {
    feature: 'A hit opens at the heading that is the query, else at the one above the text that has it.',
    test: 'a page opens at the heading that is the query, else at the one above the text that has it',
  },
  'pages.section-contents': {
    feature: 'A table of contents is not taken for the sections that it names.',
    test: 'a table of contents is not taken for the sections it names',
  },
  'pages.section-title': {
    feature: 'A page opens at its beginning when its title has as much of the query as any part.',
    test: 'the title answers better than a part that has no more of the query',
  },
  'pages.sections': {
    feature: 'At most three other parts of a page fold under its hit.',
    test: 'at most three other parts that answer as well fold under a page',
  },
  'pages.section-text': {
    feature: 'A page without identifiers opens at the words of its heading, by a text fragment.',
    test: 'case b22: a page without identifiers opens at the words of its heading',
  },
  'pages.section-link': {
    feature: 'The title of a result leads to the part of the page that answers.',
    test: 'case b22: a long page opens at the heading that was searched for',
  },
  'pages.summary': {
    feature:
      'A summary is a page in plain words with its origin, its address to copy, and a link to its SOIF.',
    test: 'case b30: a summary is a page with its attributes, origin and address, and its SOIF one click away',
  },
  'pages.summary-lines': {
    feature: 'A line break in a value does not look like another attribute, in the page and in a terminal.',
    test: 'case b30: a line break in a value never looks like another attribute',
  },
  'pages.administration': {
    feature:
      'The administration page has links to its parts, tokens, views and webhooks, a check and duplicates; on a phone rows are cards.',
    test: 'case b24: on a phone the administration has links to its parts, rows are cards, nothing scrolls sideways',
  },
};
