import type { AttributeNote } from '../../../../readers/document/index.ts';

/** Attributes of the summary of a source distribution. */
export const sourceDistributionAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'Heading of the README, else name and version of the package' },
  {
    name: 'Description',
    what: 'First paragraph of the README, else the text of the package description or a manual page',
  },
  { name: 'Keywords', what: 'Keywords of the package description and the README, joined by commas' },
  { name: 'Package', what: 'Name in its package description or of its folder' },
  { name: 'Version', what: 'Version in its package description or folder name' },
  {
    name: 'License',
    what: 'Licence in the package description, else SPDX expression of the licence file, else of most sources',
  },
  { name: 'Copyright', what: 'Lines of the sources that name the copyright holder; several are numbered' },
  {
    name: 'Author',
    what: 'Authors that the package description, the AUTHORS file or the sources name; several are numbered',
  },
  { name: 'Programming-Language', what: 'Language of most sources' },
  { name: 'Languages', what: 'Languages with the number of files, one per line' },
  { name: 'Member-Count', what: 'Number of files' },
  { name: 'Unpacked-Size', what: 'Bytes of all files together' },
  { name: 'Manual-Pages', what: 'Manual pages with their one-line descriptions, one per line' },
  { name: 'Synopsis', what: 'Usage lines of the manual pages' },
  { name: 'Make-Targets', what: 'Targets of the top Makefile, one per line' },
  { name: 'Functions', what: 'Functions defined in the sources, one per line' },
  { name: 'Members', what: 'Paths, one per line' },
  { name: 'Full-Text', what: 'Text of READMEs and manual pages, comments of Makefiles and sources' },
];
