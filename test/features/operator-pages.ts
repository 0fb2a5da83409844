import type { Area } from './feature.ts';

/** What operators and programs see of the servers: their own look on the pages, the whole API. */
export const operatorPages: Area = {
  'look.pages': {
    feature:
      "The operator's name, logo and footer are on every page of a Broker, and in its OpenSearch description.",
    test: 'every page shows the name, the logo and the footer of its operator',
  },
  'look.mistakes': {
    feature:
      'A logo or a footer link that cannot be shown stops the start with an error that names the setting.',
    test: 'a logo or link of the operator that cannot be shown stops the start with the cause',
  },
  'look.weight': {
    feature:
      'Scripts and style sheets of the pages are sent without the headers that only concern documents.',
    test: 'a script or style sheet has no headers that only concern documents',
  },
  'look.agreement': {
    feature: 'The manual and OpenAPI say what the server does.',
    test: 'case b18: the manual and the description agree with the behaviour',
  },
  'look.chart': {
    feature: 'The words under a chart of bytes name the distance of its lines.',
    test: 'case b18: the words under a chart of bytes name the distance of the lines that are drawn',
  },
  'look.administration': {
    feature:
      'The administration page has a button for each command that administers, or the manual says that it has none.',
    test: 'case b18: the page has a button for each command that administers, or the manual says that it has none',
  },
  'look.title-once': {
    feature: 'A passage does not repeat the title of its result while the words are elsewhere in the text.',
    test: 'a passage does not repeat a title at the beginning of the text while the words are elsewhere too',
  },
};
