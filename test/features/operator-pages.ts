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
};
