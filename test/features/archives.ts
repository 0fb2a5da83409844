import type { Area } from './feature.ts';

export const archives: Area = {
  'archive.compressed': {
    feature: 'A compressed document is summarised as the document itself.',
    test: 'a compressed document is the document itself, by another presentation',
  },
  'archive.members': {
    feature: 'Each document in an archive, at any depth, has a summary of its own.',
    test: 'each document in an archive has a summary of its own, at any depth',
  },
  'archive.follow': {
    feature: 'The documents in an archive come, change and go with it.',
    test: 'the documents in an archive are added, changed, kept and deleted with it',
  },
  'archive.stop': {
    feature: 'Allow and stop lists hold inside archives too.',
    test: 'stop and allow lists hold inside and outside',
  },
  'archive.closed': {
    feature: 'Archives stay packed when the operator says so.',
    test: 'wrappers stay packed when the operator says so',
  },
  'archive.broken': {
    feature: 'What cannot be opened is refused with its reason, and the archive has the plain summary.',
    test: 'a wrapper that cannot be opened is refused, and has the plain summary',
  },
  'archive.mailbox': {
    feature: 'A mailbox is taken apart into its messages.',
    test: 'a mailbox is taken apart, message by message',
  },
  'archive.references': {
    feature: 'References of a page inside an archive lead into the archive.',
    test: 'relative links of a page in an archive lead into the archive',
  },
  'archive.tar': {
    feature: 'Tar archives with long names, pax headers and old forms are read.',
    test: 'long names: the prefix of ustar, GNU’s notes, pax for one entry and for all',
  },
  'archive.zip': {
    feature: 'Zip archives with bytes before or behind them are read.',
    test: 'bytes before an archive, behind it, and both',
  },
  'archive.deb': {
    feature: 'A Debian package gives its control file and its data.',
    test: 'a Debian package compressed by xz: control and data are its members',
  },
  'archive.rpm': { feature: 'An rpm package is opened.', test: 'an rpm package with a payload of w9.gzdio' },
  'archive.ar': {
    feature: 'An ar archive with long names is opened.',
    test: 'ar: long names in the ways of System V and BSD, symbol tables passed over',
  },
  'archive.rar': { feature: 'A stored member of a rar archive is read.', test: 'rar: a stored member' },
  'archive.message': {
    feature: 'Attachments of a message, and messages in it, are documents of their own.',
    test: 'a message: attachments and messages in it',
  },
  'archive.uuencode': {
    feature: 'Uuencoded parts of a text are documents, and a broken one costs itself alone.',
    test: 'a uuencoded part that lost its end is refused by itself, and swallows none behind it',
  },
  'archive.shar': {
    feature: 'The files of a shell archive are documents, and a broken one costs itself alone.',
    test: 'so is one in a shell archive',
  },
  'archive.tar-z': {
    feature: "A tar in the old compress format is opened as in the paper's figure.",
    test: 'the figure’s tar.Z: README, a tar, a compressed file',
  },
  'archive.absent-program': {
    feature: 'An archive that needs a program that is not installed names that program.',
    test: 'a format whose program is missing is refused with its name',
  },
  'archive.bibtex': {
    feature: 'A BibTeX file is taken apart into its entries, with its abbreviations filled in.',
    test: 'BibTeX: abbreviations, joined parts, nested braces, quotes, parentheses',
  },
  'archive.rows': {
    feature: 'Rows of CSV and JSON lines become objects when `gatherer.explode` asks for it.',
    test: 'formats that are exploded, and formats only on request',
  },
  'archive.bomb': {
    feature: 'A bomb inside an archive is refused, and its siblings are gathered.',
    test: 'a bomb inside an archive is refused by its ratio, and its siblings come',
  },
  'archive.zip-bomb': {
    feature: 'Members of a zip that unpack to too much are refused one by one.',
    test: 'a zip bomb: members that unpack to too much are refused one by one, the small one comes',
  },
  'archive.depth': {
    feature: 'Ten thousand wrappers around one document end at the allowed depth.',
    test: 'ten thousand wrappers around one document end at the max depth',
  },
  'archive.tricks': {
    feature: 'Members with names that climb, are absolute or are links are refused.',
    test: 'names: climbing or absolute ones, links and devices are refused, the others come',
  },
  'archive.max-members': {
    feature: 'Too many members end an archive, and its own siblings are gathered.',
    test: 'too many members end an archive; its own siblings still come',
  },
  'archive.max-member': {
    feature: 'A member that is too large is passed over.',
    test: 'a too large member is skipped, those after it come',
  },
  'archive.encrypted': {
    feature: 'Encrypted members are refused by name.',
    test: 'an encrypted member is refused by name',
  },
  'archive.memory': {
    feature: 'A gibibyte of zeros ends early and in little memory.',
    test: 'a gibibyte of zeros ends early, in little memory',
  },
  'archive.cut': {
    feature: 'A compressed document that is cut short gives its beginning and says so.',
    test: 'one compressed document cut short gives its beginning, and says so',
  },
  'archive.source-distribution': {
    feature: 'A source distribution in any archive format is one object.',
    test: 'a source distribution is one object, in whatever form it is packed',
  },
  'archive.source-members': {
    feature: '`gatherer.source-distributions` chooses one object, its members or both.',
    test: 'members, one or both, as the operator wants it',
  },
  'archive.source-looks': {
    feature: 'An archive of pages or anything else keeps its members.',
    test: 'archives of pages and other documents keep their members',
  },
  'archive.source-own': {
    feature: 'An archive that an own rule calls a source distribution is read as one.',
    test: 'an operator’s rule makes a file a source distribution',
  },
  'archive.essence': {
    feature: 'The compressed tar of figure 5 gives the three records that the paper names.',
    test: 'figure 5: a compressed tar of Essence gives the three records that the paper names',
  },
};
