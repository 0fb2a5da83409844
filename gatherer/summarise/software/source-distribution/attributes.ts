import type { AttributeNote } from '../../../../readers/document/index.ts';

/** What the summary of a source distribution holds. */
export const sourceDistributionAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'Heading of the README, else name and version of the package' },
  {
    name: 'Description',
    what: 'First paragraph of the README, else what the package description or a manual page says',
  },
  { name: 'Keywords', what: 'Keywords of the package description and the README, joined by commas' },
  { name: 'Package', what: 'Name that its package description or its folder gives' },
  { name: 'Version', what: 'Version that its package description or its folder gives' },
  {
    name: 'License',
    what: 'What the package description names, else SPDX expression of the licence file, else of most sources',
  },
  { name: 'Copyright', what: 'Lines of the sources that say who holds the copyright; several are numbered' },
  {
    name: 'Author',
    what: 'Authors that the package description, the AUTHORS file or the sources name; several are numbered',
  },
  { name: 'Programming-Language', what: 'Language of most sources' },
  { name: 'Languages', what: 'Languages with the number of files, one a line' },
  { name: 'Member-Count', what: 'Number of files' },
  { name: 'Unpacked-Size', what: 'Bytes of all files together' },
  { name: 'Manual-Pages', what: 'Manual pages with their one-line descriptions, one a line' },
  { name: 'Synopsis', what: 'Usage lines of the manual pages' },
  { name: 'Make-Targets', what: 'Targets of the top Makefile, one a line' },
  { name: 'Functions', what: 'Functions defined in the sources, one a line' },
  { name: 'Members', what: 'Paths, one a line' },
  { name: 'Full-Text', what: 'Text of READMEs and manual pages, comments of Makefiles and sources' },
];
