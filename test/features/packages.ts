import type { Area } from './feature.ts';

const table = 'Objects with a fault, of those concerned';

export const packages: Area = {
  'figure.packages-missing': {
    feature: 'The share of files without an object is measured over all files of 100 packages of Debian.',
    bench: 'packages',
    table,
    row: 'files without an object',
  },
  'figure.packages-file-name': {
    feature: 'The share of texts and pages that have the name of their file as the title is measured.',
    bench: 'packages',
    table,
    row: 'title of a text or page is the name of its file',
  },
  'figure.packages-boilerplate': {
    feature: 'The share of titles that are boilerplate is measured.',
    bench: 'packages',
    table,
    row: 'title is boilerplate',
  },
  'figure.packages-licence': {
    feature: 'The share of descriptions that are a licence is measured.',
    bench: 'packages',
    table,
    row: 'description is a licence',
  },
  'figure.packages-empty': {
    feature: 'The share of summaries with nothing but name, size and date is measured.',
    bench: 'packages',
    table,
    row: 'nothing but name, size and date',
  },
  'figure.packages-undecoded': {
    feature: 'The share of summaries with undecoded bytes is measured.',
    bench: 'packages',
    table,
    row: 'undecoded bytes (U+FFFD)',
  },
  'format.table': {
    feature: 'A table of the manual shows for each format and vocabulary what a real document gives.',
    test: 'each format and vocabulary gives the attributes of the table',
  },
  'format.described': {
    feature: 'Files that describe a package, application or service have its name as the title.',
    test: 'files that describe packages, applications and services have their names as titles',
  },
  'format.settings': {
    feature: 'Settings under a section are recognised as a configuration, whatever the name of the file.',
    test: 'settings under a section are a configuration, whatever the name; other texts in brackets stay text',
  },
  'format.template-names': {
    feature: 'A manual page of a template has its whole name as the title.',
    test: 'a name with a comma in angle brackets is one name, and a program is no author',
  },
  'format.rights': {
    feature: 'A notice of rights at the beginning of a text is not its title.',
    test: 'a notice of rights is no title, unless the text is a licence',
  },
  'format.long-texts': {
    feature: 'Long texts of short lines are read in a small memory.',
    test: 'long texts of short lines are read in a small memory',
  },
};
