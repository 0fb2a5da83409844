import type { Area } from './feature.ts';

export const annotate: Area = {
  'annotate.at-once': {
    feature: 'An annotation is in the stored summary at once, signed, without reading the document.',
    test: 'an annotation stands in the stored object at once, signed, and the document is not read for it',
  },
  'annotate.waiting': {
    feature: 'An annotation waits for a document that is not gathered yet, and goes with it.',
    test: 'what is annotated before it is gathered waits, and goes with its document',
  },
  'annotate.outlives': {
    feature: 'An annotation outlives gathering, and the gathered value returns when it is removed.',
    test: 'an annotation is shown at once, outlives gathering, and leaves the gathered values when it goes',
  },
  'annotate.times': {
    feature: 'Time-to-Live and Refresh-Rate can be annotated.',
    test: 'Time-to-Live and Refresh-Rate of an annotation count',
  },
  'annotate.archived': {
    feature:
      'Documents inside archives and documents published elsewhere are annotated by the URL of their object.',
    test: 'documents published elsewhere and documents in an archive are annotated by the URL of their object',
  },
  'annotate.kill': {
    feature:
      'After a kill between annotating and writing the summary the annotation is shown at the next start.',
    test: 'a kill before the object was written is made up for when the Gatherer is opened again',
  },
  'annotate.replace': {
    feature: 'Annotated attributes replace gathered ones, and removing them restores the summary exactly.',
    test: 'annotated attributes replace, others come before what closes a summary, and all of it comes off again',
  },
  'annotate.limits': {
    feature: 'An annotation is held to its limits and cannot change what the Gatherer keeps count of.',
    test: 'an annotation is held to its limits and what the Gatherer keeps is its own',
  },
  'annotate.conflict': {
    feature: 'A change of an annotation that somebody else has changed meanwhile is refused.',
    test: 'whoever changes an annotation that somebody else has changed is told so',
  },
  'annotate.bound': {
    feature: 'The number of annotations is bounded, and an import reports what it could not take.',
    test: 'there is a bound, and an import says what it could not take',
  },
  'annotate.command': {
    feature: 'What people annotate by command is found by search and goes again.',
    test: 'annotations are found, outlive gathering, and can be removed',
  },
  'annotate.command-refused': {
    feature: 'Contradictory options of `gatherer annotate` are refused with a cure.',
    test: 'wrong combinations on the command line and invalid annotations are refused with a hint',
  },
  'annotate.http': {
    feature: 'Annotations are written, read and removed over HTTP, guarded by ETags.',
    test: 'an annotation is written, read, guarded against others, and removed',
  },
  'annotate.http-admin': {
    feature: 'Only an administrator writes annotations over HTTP.',
    test: 'only an administrator writes, and nonsense is refused with a reason',
  },
  'annotate.http-import': {
    feature: 'Annotations are imported, exported as SOIF and listed in pages over HTTP.',
    test: 'annotations are imported and exported as SOIF, and listed in pages',
  },
  'annotate.form': {
    feature: 'The annotation form works in a browser by keyboard and without scripts.',
    test: 'the form works in a browser without scripts, by keyboard, in light and dark',
  },
  'annotate.form-address': {
    feature: '`gatherer serve` prints the address of the form when there is an admin token.',
    test: 'a user who may annotate gets a link to the form',
  },
  'annotate.import-soif': {
    feature: 'SOIF with one-line values is imported as annotations.',
    test: 'SOIF with one-line values, as Harvest took annotations',
  },
  'annotate.import-lsm': {
    feature: 'Entries of the Linux Software Map are imported.',
    test: 'an entry of the Linux Software Map describes its first file',
  },
  'annotate.import-iafa': {
    feature: 'IAFA templates are imported.',
    test: 'an IAFA template describes each of its forms',
  },
  'annotate.import-bibtex': {
    feature: 'A BibTeX entry annotates what it cites.',
    test: 'an entry of a bibliography annotates what it cites',
  },
  'annotate.import-guess': {
    feature: 'The notation of an import is recognised by its content.',
    test: 'each notation is told by its look',
  },
  'annotate.round-trip': {
    feature: 'What is exported as SOIF is imported as it was.',
    test: 'what is exported as SOIF is imported as it was',
  },
};
