import type { Area } from './feature.ts';

export const gatherer: Area = {
  'gatherer.folder': {
    feature: 'A folder is gathered, and at the next run only what changed is read.',
    test: 'a folder is gathered, and then only changed files are read',
  },
  'gatherer.touched': {
    feature: 'A file that was only touched is read once and its summary is not written again.',
    test: 'a file that was only touched is read once and not written',
  },
  'gatherer.refresh': {
    feature: 'An unchanged summary is refreshed at its Refresh-Rate and so outlives its Time-to-Live.',
    test: 'an unchanged summary is refreshed at its Refresh-Rate and outlives its Time-to-Live',
  },
  'gatherer.unreadable-folder': {
    feature: 'What is known of a folder that cannot be read now is kept.',
    test: 'documents below an unreadable folder are kept',
  },
  'gatherer.left-out': {
    feature: 'Links out of a folder and large files are left out and counted in the report.',
    test: 'links out of the folder and folders behind links are left out and reported',
  },
  'gatherer.abort': {
    feature: 'An aborted run keeps what was done and deletes nothing.',
    test: 'an abort keeps the finished work and deletes nothing',
  },
  'gatherer.mounted': {
    feature: 'A folder that is suddenly empty deletes nothing unless that is allowed.',
    test: 'a suddenly empty folder of many summaries does not count as empty, unless that is allowed',
  },
  'gatherer.other-device': {
    feature: 'A folder that is empty on another device than before deletes nothing.',
    test: 'an empty folder of few summaries counts as empty, but not on another device',
  },
  'gatherer.limits': {
    feature: 'Limits on URLs and depth hold for folders, and the report counts what each limit cut.',
    test: 'the limits hold for folders, and the report lists what each left out and which summaries it deleted',
  },
  'gatherer.watch': {
    feature: 'A watched folder reports changed paths and folders that come and go.',
    test: 'a watched folder reports the changed paths, and added and deleted folders',
  },
  'gatherer.unwatchable': {
    feature: 'A folder that cannot be watched is reported once.',
    test: 'a root that cannot be watched is reported once, and is no change of its own',
  },
  'gatherer.watch-folder': {
    feature: 'A folder that comes or goes is walked by itself, without the whole root.',
    test: 'an added or deleted folder is walked by itself, not with the whole root',
  },
  'gatherer.watch-roots': {
    feature: 'Every folder of `gatherer.roots` is watched, beside one of `--root`.',
    test: 'a serving Gatherer follows every folder of gatherer.roots, beside one of --root, without a request to a web root',
  },
  'gatherer.watch-alone': {
    feature: 'A change in a watched folder is gathered without a walk over the other roots.',
    test: 'each folder among the roots is watched, and a change walks no other root',
  },
  'gatherer.watch-overlap': {
    feature: 'Watched folders that overlap agree about a change.',
    test: 'folders that overlap agree about a change, whichever of them reports it',
  },
  'gatherer.watch-foreign': {
    feature: 'A change in a watched folder removes no document that another root has gathered.',
    test: 'a change of a folder removes nothing that another root has gathered',
  },
  'gatherer.watch-polled': {
    feature: 'Among several roots only the folder whose watch has failed is walked every five seconds.',
    test: 'a folder whose watch has failed is walked at intervals, without the other roots',
  },
  'gatherer.watch-missing': {
    feature: 'A folder that is missing at the start is watched after it appears.',
    test: 'a missing folder among the roots is watched after it appears, and deletes nothing while it is away',
  },
  'gatherer.watched-empty': {
    feature: 'A watched folder that is suddenly empty deletes nothing either.',
    test: 'a suddenly empty watched folder does not count as empty either',
  },
  'gatherer.links-confined': {
    feature: 'Symbolic links lead neither out of the folder nor to hidden files.',
    test: 'links lead neither out of the folder nor to hidden files, and why agrees with a run',
  },
  'gatherer.served-folder': {
    feature: '`garner up` serves the files of a folder, without hidden files and links out of it.',
    test: 'a served folder gives its files and nothing else',
  },
  'gatherer.why': {
    feature: '`garner gatherer why` names the rule by which a URL is in or out.',
    test: 'why names the rule',
  },
  'gatherer.why-deleted': {
    feature: '`why` reports when the summary of a page was deleted.',
    test: 'why reports when a page was deleted',
  },
  'gatherer.why-type': {
    feature: '`why` names a rule or type that left a document out although its address is taken in.',
    test: 'the rule that left a document out is reported although its URL is included',
  },
  'gatherer.why-part': {
    feature: '`why` answers for a document inside another one.',
    test: 'a document in another is included or left out with it, and each report names the other',
  },
  'gatherer.why-published': {
    feature: '`why` takes a published URL and answers for the one that is read.',
    test: 'a published URL gives the report of the URL that is read',
  },
  'gatherer.why-spelling': {
    feature: '`why` takes a URL in any spelling, and the file: URL of its file.',
    test: 'a URL is found in any spelling, and by the file: URL of its file',
  },
  'gatherer.why-last-run': {
    feature: '`why` repeats what the last run reported of a page.',
    test: 'why agrees with the report of the last run',
  },
  'gatherer.why-web': {
    feature: '`why` reports redirects, failures and robots rules of pages of a web site.',
    test: 'why reports the results of pages of a web site',
  },
  'gatherer.why-roots': {
    feature: 'With several roots `why` answers for the root that covers the URL.',
    test: 'of several roots the one that covers a URL says why',
  },
  'gatherer.show': {
    feature: '`gatherer show` of an unknown URL and of a locked store name the cure.',
    test: 'an unknown URL and a locked store are errors with a cure',
  },
  'gatherer.stream': {
    feature:
      'The SOIF stream is served whole, compressed with an ETag, and as what changed since a state or a time.',
    test: 'the classic stream: whole and compressed with an ETag, and changes since a time',
  },
  'gatherer.stream-process': {
    feature: 'A reader of the SOIF stream whose state is too old gets 410.',
    test: 'the classic stream over HTTP: all of it, what changed since, and a stale reader',
  },
  'gatherer.gatherd': {
    feature: 'A Broker of 1996 collects from the gatherd port with its own commands.',
    test: 'every command, as a client of 1996 types it',
  },
  'gatherer.gatherd-access': {
    feature: 'The gatherd port lets in this machine alone unless others are named.',
    test: 'only this machine and allowed hosts are admitted, up to the max of connections',
  },
  'gatherer.gatherd-idle': {
    feature: 'A silent client of the gatherd port is dropped.',
    test: 'a silent or very slow client is disconnected',
  },
  'gatherer.gatherd-store': {
    feature: 'By gatherd a store is collected whole, by changes, and object by object.',
    test: 'a production store is collected whole, by its changes, and object by object',
  },
  'gatherer.gatherd-process': {
    feature: 'A client of gatherd gets the whole site and then what changed from a serving Gatherer.',
    test: 'a collector of 1996 gets the whole site, then what changed, from a serving Gatherer',
  },
  'gatherer.page': {
    feature: 'The page of a Gatherer leads to the SOIF stream, its status and the annotation form.',
    test: 'the page of a Gatherer links to the annotation form, and says whether it can save',
  },
  'gatherer.page-pushes': {
    feature: 'The page of a Gatherer shows the state of each Broker that it pushes to.',
    test: 'the page shows the status of each Broker that is pushed to',
  },
  'gatherer.cpu-share': {
    feature: '`gatherer.cpu-share` holds a run to its share of the CPU.',
    test: 'a run of some hundred pages stays within a share of the CPU, and the report gives its cost',
  },
  'gatherer.read-rate': {
    feature: '`gatherer.read-rate` bounds the bytes of documents read in a second.',
    test: 'bytes of documents come at their rate, after a first second of them',
  },
  'gatherer.request-rate': {
    feature: '`gatherer.request-rate` bounds the requests of a second, as servers see them.',
    test: 'all requests stay within a request rate, as the server sees them',
  },
  'gatherer.unlimited': {
    feature: 'Without limits nothing is measured and nothing waits.',
    test: 'without limits nothing is measured and nothing waits',
  },
  'gatherer.annotate-waiting': {
    feature: 'Annotating and reading do not wait for a run that waits for its load budget.',
    test: 'annotating and reading do not wait for a waiting run; an abort ends it, the report has the waiting time',
  },
  'gatherer.wait-reported': {
    feature: 'A run reports that it waits because a server asked for it.',
    test: 'a run reports that it waits because a server requested it',
  },
  'gatherer.list': {
    feature: 'The report names the first files that were left out, and with `--list` all of them.',
    test: 'a run names the first files that are left out, and all of them when asked',
  },
  'gatherer.report-repeats': {
    feature: 'What was left out, left packed or cut is reported by every run.',
    test: 'every run reports documents left out, left packed or cut, read or not',
  },
  'gatherer.level-full': {
    feature: '`gatherer.text` decides which attributes of the text a summary has: full, selected, terse.',
    test: 'each level has its attributes',
  },
  'gatherer.level-order': {
    feature: 'A lower level of text never takes more bytes than the one above it.',
    test: 'a level never has more bytes than the level above it',
  },
  'gatherer.level-short': {
    feature: 'A text so short that nothing would be saved is kept whole.',
    test: 'a text too short to become shorter is stored whole, as Partial-Text',
  },
  'gatherer.level-size': {
    feature: 'Of a real text of 35 kB selected is under a fifth and terse under a twenty-fifth.',
    test: 'a real text of 35 kB: selected is under a fifth, terse under a twenty-fifth, and both are about it',
  },
  'gatherer.level-languages': {
    feature: 'The language of a text is recognised from a paragraph.',
    test: 'the language of a paragraph is detected',
  },
  'gatherer.level-remembered': {
    feature: 'Summaries keep their level of text until it is set again.',
    test: 'summaries keep their level of text until it is set again',
  },
  'gatherer.level-references': {
    feature: 'Links are kept at level selected and left out at terse.',
    test: 'each level has its text, terse leaves references out, links stay',
  },
  'gatherer.main-text': {
    feature: 'The main text of an article is found without navigation around it.',
    test: 'an article comes out of its page, in order and without what surrounds it',
  },
  'gatherer.main-text-cut': {
    feature:
      'An unsure model keeps the part with the best expected F1, and all of a page without a main part.',
    test: 'what is kept has the greatest expected F1, however unsure the model is',
  },
  'gatherer.selection': {
    feature: '`gatherer.allow` and `gatherer.stop` choose documents by type, and stop wins.',
    test: 'the allow list keeps, the stop list drops and has priority',
  },
  'gatherer.unknown-type': {
    feature: 'A type that does not exist is refused with the name that was meant.',
    test: 'a name that is no type is refused, with a similar one',
  },
  'gatherer.noindex': {
    feature: 'The robots header of a page holds for every type of document.',
    test: 'the robots header holds for every type',
  },
  'gatherer.retry': {
    feature: 'A document whose program was missing is read again now and then.',
    test: 'a document whose program was missing is read again at intervals until it exists',
  },
  'gatherer.retry-pauses': {
    feature: 'Documents with a passing fault are tried again after one hour, two and so on, up to a day.',
    test: 'an hour, then twice as long, never more than a day',
  },
  'gatherer.threads': {
    feature: 'Documents are summarised in worker threads with the same result as without.',
    test: 'threads give the products of the pipeline, for many documents at once',
  },
  'gatherer.document-time': {
    feature: 'A document that takes too long gets the plain summary, and others go on.',
    test: 'a document that takes too long gets the plain summary, and others go on',
  },
  'gatherer.thread-memory': {
    feature: 'A document that needs too much memory gets the plain summary.',
    test: 'a document that needs too much memory does too',
  },
  'gatherer.addresses': {
    feature: 'Of two documents published at one address the first is published and the report names it.',
    test: 'of two documents with one published URL the first is published, the report says so, and the other follows it',
  },
  'gatherer.renamed': {
    feature: 'A renamed file that keeps its published address keeps its summary.',
    test: 'a renamed file that keeps its published address keeps its summary',
  },
  'gatherer.many-roots': {
    feature: 'With several hundred roots an unchanged run stays cheap.',
    test: 'several hundred unchanged roots yield only a few items, also where they overlap',
  },
  'gatherer.overlapping': {
    feature: 'A document that one root leaves out and another gathers is gathered.',
    test: 'a URL that one root leaves out and another yields is not left out, in either order',
  },
  'gatherer.roots-down': {
    feature: 'When no root can be read each one is named with its reason.',
    test: 'when no root can be read each is named with its reason, and the first decides the exit code',
  },
  'gatherer.provider-away': {
    feature: 'A serving Gatherer whose provider is away goes on when it has something to offer.',
    test: 'a first run without its provider ends the loop only when there are no summaries',
  },
  'gatherer.through-cache': {
    feature:
      'A second Gatherer behind an object cache asks no server again, over http, https, FTP and Gopher.',
    test: 'a second Gatherer behind a cache sends no request to a server: http, https, ftp and gopher come from the first one’s run',
  },
  'gatherer.debian': {
    feature:
      'All manual pages and documentation of a Debian system are gathered without a crash and are not read twice.',
    test: "a Debian system's manual pages and documentation: no crash, every page known, nothing read twice",
  },
  'gatherer.hidden': {
    feature: 'Files whose name begins with a dot are gathered only with `gatherer.hidden`.',
    test: 'hidden files are gathered only with --hidden, and removed when it is turned off',
  },
  'gatherer.recheck': {
    feature: 'A serving Gatherer looks again after `gatherer.recheck` where no watch reports changes.',
    test: 'what no watch tells of is gathered again after the interval, and not before',
  },
  'gatherer.max-text': {
    feature: 'Text is cut at its bound, and the summary says so.',
    test: 'text is cut at its limit, at a character, with a note',
  },
};
