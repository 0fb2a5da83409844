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
  'operators.wire-token': {
    feature: 'With `wire.tokens` the stream `/soif` and the objects of a Gatherer need a token too.',
    test: 'a token of the wire protects the stream and the objects of a Gatherer too',
  },
  'operators.source-access': {
    feature:
      'Each source can have its own token and its own authority in `garner.yaml`; a certificate that is not trusted is an error that names the setting.',
    test: 'a source has its own token and authority in garner.yaml; without the authority the error names the cure',
  },
  'operators.useless-flags': {
    feature: 'A flag that cannot take effect because a server runs is an error.',
    test: 'a flag that cannot take effect because a server runs is an error that names the flag',
  },
  'operators.owner': {
    feature: 'A command that root runs on the data of another user changes neither owner nor mode of a file.',
    test: 'a command that root runs on the data of another user leaves every file to that user, with its mode',
  },
  'operators.nginx': {
    feature: 'The recipe for nginx publishes a Broker with its administration page.',
    test: 'behind nginx, with its recipe, the administration page logs in and acts',
  },
};
