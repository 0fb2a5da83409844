import type { Area } from './feature.ts';

export const upkeepByOperators: Area = {
  'operators.rename': {
    feature:
      'A Gatherer that gets another name, Time-to-Live or Refresh-Rate reads no document again; its stored summaries get the new values.',
    test: 'after a change of its name or Time-to-Live a Gatherer reads no document again, and every summary has both',
  },
  'operators.limits': {
    feature: 'After a change of the limits of a document only the documents that failed are read again.',
    test: 'after a change of the limits of time and memory, only documents that failed are read again',
  },
  'operators.summary-settings': {
    feature: 'A change of a setting that makes summaries reads the documents again.',
    test: 'a change of settings that make summaries reads the documents',
  },
};
