import { dataOption } from '../command/common-options.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer annotate`: attributes that people add to documents. */
export const gathererAnnotate: Verb = {
  command: 'gatherer annotate [url]',
  describe: 'Annotate a document: the attributes appear in its summary and survive gathering',
  examples: [
    [
      'gatherer annotate https://www.example.org/a.html --set Keywords="tide, harbour"',
      'replaces the gathered Keywords',
    ],
    ['gatherer annotate --import entries.bib', 'SOIF, IAFA templates, LSM entries or BibTeX'],
  ],
  positionals: { url: 'URL of a document; without changes its annotation is shown' },
  options: {
    data: dataOption,
    set: { kind: 'list', describe: 'Name=Value; an empty value hides the gathered one. May be repeated' },
    remove: { kind: 'list', describe: 'Name of an attribute to remove from the annotation. May be repeated' },
    author: { kind: 'text', describe: 'Author of the annotation' },
    delete: { kind: 'flag', describe: 'Remove the whole annotation' },
    import: { kind: 'text', describe: 'File of annotations to add, - for standard input' },
    as: {
      kind: 'text',
      choices: ['soif', 'iafa', 'lsm', 'bibtex'],
      describe: 'Format of the file; without it recognised from the content',
    },
    export: { kind: 'flag', describe: 'Print every annotation as SOIF' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  shownSettings: ['gatherer.max-annotations'],
  runsAsCaller: true,
  handler: async (run) => {
    const { annotateWork, changeOf } = await import('./annotate-line.ts');
    const { annotateOne, exportAll, importFile, removeOne, showOne } = await import('./annotate-run.ts');
    const work = annotateWork(run.args);
    switch (work.kind) {
      case 'import':
        return importFile(run, work.file);
      case 'export':
        return exportAll(run);
      case 'delete':
        return removeOne(run, work.url);
      case 'show':
        return showOne(run, work.url);
      case 'change':
        return annotateOne(run, work.url, changeOf(run.args));
    }
  },
};
