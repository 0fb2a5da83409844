import { dataOption } from '../command/data-option.ts';
import type { Verb } from '../command/verb.ts';

/** `garner gatherer annotate`: what people write about documents. */
export const gathererAnnotate: Verb = {
  command: 'gatherer annotate [url]',
  describe: 'Say something about a document: it stands in its summary, and gathering keeps it',
  examples: [
    [
      'gatherer annotate https://www.example.org/a.html --set Keywords="tide, harbour"',
      'in place of what was gathered as Keywords',
    ],
    ['gatherer annotate --import entries.bib', 'SOIF, IAFA templates, LSM entries or BibTeX'],
  ],
  positionals: { url: 'URL of a document; shows its annotation when nothing is to be changed' },
  options: {
    data: dataOption,
    set: { kind: 'list', describe: 'Name=Value; an empty value hides what was gathered. May be repeated' },
    remove: { kind: 'list', describe: 'Name that is annotated no longer. May be repeated' },
    author: { kind: 'text', describe: 'Who says so' },
    delete: { kind: 'flag', describe: 'Remove the whole annotation' },
    import: { kind: 'text', describe: 'File of annotations, - for standard input; laid over what is there' },
    as: {
      kind: 'text',
      choices: ['soif', 'iafa', 'lsm', 'bibtex'],
      describe: 'What the file is; told from its content when absent',
    },
    export: { kind: 'flag', describe: 'Print every annotation as SOIF' },
  },
  settings: async () => (await import('../config/all-settings.ts')).settingsOfGatherer,
  shownSettings: ['gatherer.max-annotations'],
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
