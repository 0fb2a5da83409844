import type { Area } from './feature.ts';

export const customise: Area = {
  'custom.types': {
    feature: 'Own types, own fields and rules of `garner.yaml` are applied.',
    test: 'own types, own fields and rules are applied',
  },
  'custom.own-text': {
    feature: 'A text of an own type keeps its text.',
    test: 'a text of a type of the operator’s own keeps its text',
  },
  'custom.siblings': {
    feature: 'A document beside its source is left out, and comes when the source goes.',
    test: 'a file beside its source is left out, added when the source is deleted, and deleted when it returns',
  },
  'custom.quick-sum': {
    feature: 'Own fields are taken from lines that match a pattern.',
    test: 'quick-sum gives the first group of matching lines, of its type alone, bounded',
  },
  'custom.program': {
    feature: 'A program summarises the documents of its type.',
    test: 'a program summarises the documents of its type and knows their names',
  },
  'custom.program-output': {
    feature: 'A program prints its fields as SOIF or as JSON.',
    test: 'SOIF with and without its braces, and JSON',
  },
  'custom.program-own': {
    feature: 'A program cannot set the attributes that Garner itself states of every document.',
    test: 'a repeated name has several values; a program cannot set Garner’s own attributes',
  },
  'custom.program-bounds': {
    feature: 'Programs are bounded in time and output, and their children end with them.',
    test: 'time and output are bounded, and children end with it',
  },
  'custom.program-absent': {
    feature: 'A program of the configuration that does not exist is refused at the start.',
    test: 'a missing program is refused at start',
  },
  'custom.module': {
    feature: 'A module adds attributes to what Garner found, in a worker thread.',
    test: 'a module adds to Garner’s fields, in a worker thread, and changes nothing else',
  },
  'custom.module-replace': {
    feature: "With `mode: replace` a module takes the place of Garner's summariser.",
    test: 'a module replaces Garner’s summariser with mode: replace',
  },
  'custom.module-throws': {
    feature: 'A module that throws leaves a note, and the run goes on.',
    test: 'a module that throws, or returns invalid values, leaves a note, and the run continues',
  },
  'custom.module-hangs': {
    feature: 'A module that never returns is ended.',
    test: 'a module that never returns is ended with its thread',
  },
  'custom.module-memory': {
    feature: 'A module that eats memory is ended.',
    test: 'a module that eats memory, or ends its thread, is too',
  },
  'custom.module-changed': {
    feature: 'A module that changed after the start is not used until the next start.',
    test: 'a module that was changed after the start is not used',
  },
  'custom.module-refused': {
    feature: 'A module that cannot be used is refused at the start with its code.',
    test: 'a module that cannot be used is refused at start, with its code',
  },
  'custom.module-typescript': {
    feature: 'A module in TypeScript is loaded by a Node that can, and refused with a hint by others.',
    test: 'TypeScript is loaded by a Node that can, and refused with a hint by one that cannot',
  },
  'custom.module-reread': {
    feature: 'Documents are read again when the module of their type has changed.',
    test: 'documents are read again when the module has changed, and only then',
  },
  'custom.module-example': {
    feature: 'The example module of the manual summarises a recipe.',
    test: 'the module of the example summarises a recipe',
  },
  'custom.rules': {
    feature: 'Rules for finished summaries apply in order, each to what the one before left.',
    test: 'rules apply in order, each to the result of the one before',
  },
  'custom.rule-delete': {
    feature: 'A rule can delete a summary.',
    test: 'a rule can delete a summary, and nothing after it runs',
  },
  'custom.rule-filter': {
    feature: 'A filter program sees the attributes that it names and replaces them.',
    test: 'a filter sees the attributes it names, and its output replaces them',
  },
  'custom.rule-failure': {
    feature:
      'When a program of a rule fails, what it should have changed is left out and all other rules hold.',
    test: 'when a program fails, the attributes it should have changed are left out, and every other rule applies',
  },
  'custom.rule-guard': {
    feature: 'A rule cannot set what the Gatherer keeps count of.',
    test: 'a rule may not set the Gatherer’s own attributes, nor times that are no numbers',
  },
  'custom.conditions': {
    feature: 'Conditions compare, combine and look at every value of an attribute.',
    test: 'conditions compare, combine and look at every value of a multi-value',
  },
  'custom.condition-place': {
    feature: 'A condition that is not understood is reported with its place.',
    test: 'the error of an invalid condition names the place',
  },
  'custom.rewrite': {
    feature: '`gatherer.rewrite` publishes documents under another address.',
    test: 'the first matching rule sets the published URL, and an invalid result is never published',
  },
  'custom.rewrite-references': {
    feature: 'References, access methods and `gatherer try` use the published address.',
    test: 'references, access methods and the printed URL are the published ones',
  },
  'custom.access': {
    feature: 'An access method has its address filled in and encoded for the objects that it fits.',
    test: 'access methods get encoded values, only for the objects that they fit',
  },
  'custom.try': {
    feature: '`garner gatherer try` shows each stage of summarising a document.',
    test: 'trying one document reports every stage, although a thread does the work',
  },
  'custom.try-stdin': {
    feature: '`garner gatherer try -` reads standard input under a name or a URL.',
    test: 'try reads standard input, under a name or a URL',
  },
  'custom.examples': {
    feature: 'The example configurations in `deploy/` are accepted by the command.',
    test: 'the command accepts every example, and its roots and rules have their documented effect',
  },
  'custom.mistakes': {
    feature: 'All mistakes of a configuration are reported at once with their lines.',
    test: 'everything that is wrong is reported at once, in the order of the lines',
  },
  'custom.warnings': {
    feature: '`garner config` and `garner doctor` name programs, modules and roots that do not exist.',
    test: 'config and doctor report named things that are missing',
  },
};
