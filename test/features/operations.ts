import type { Area } from './feature.ts';

export const operations: Area = {
  'kill.servers': {
    feature:
      'After `kill -9` of Gatherer and Broker nothing is lost, nothing doubled and no phantom is found.',
    test: 'kill -9 of Gatherer and Broker: nothing lost, nothing doubled, no phantom',
  },
  'kill.index': {
    feature: 'After `kill -9` of a Broker its index equals one from scratch.',
    test: 'kill -9 while a Broker collects, deletes and merges: its index (flexsearch) equals one from scratch',
  },
  'kill.index-glimpse': {
    feature: 'After `kill -9` of a Broker its Glimpse index equals one from scratch.',
    test: 'kill -9 while a Broker collects, deletes and merges: its index (glimpse) equals one from scratch',
  },
  'kill.broker': {
    feature: 'After `kill -9` of a serving Broker index, views and webhooks have lost nothing.',
    test: 'kill -9 of garner broker serve while it collects, merges and deletes (flexsearch): index, views and webhooks lose nothing',
  },
  'kill.views': {
    feature: 'A Broker that is killed while its views follow finds them whole.',
    test: 'a Broker killed while its views follow has complete views afterwards, which equal their queries',
  },
  'kill.cache': {
    feature:
      'After `kill -9` of a cache under load nothing wrong is served, nothing purged returns and nothing flushed is lost.',
    test: 'kill -9 of a cache under load: nothing wrong is served, nothing purged comes back, nothing flushed is lost',
  },
  'kill.cache-store': {
    feature: 'After `kill -9` of a process that stores responses all that was flushed is found whole.',
    test: 'kill -9 of a process that stores responses: flushed responses are found, complete, and purged ones are not',
  },
  'hostile.documents': {
    feature: 'A folder of hostile documents gives an error or note for each, in bounded memory.',
    test: 'everything hostile in one folder: an error or note for each, all siblings, in bounded memory',
  },
  'hostile.large-files': {
    feature: 'Many large files are not read ahead all at once.',
    test: 'many files of 60 MiB are not read ahead all at once',
  },
  'ops.systemd': {
    feature: 'The units in `deploy/` pass the verification of systemd.',
    test: 'systemd finds nothing wrong with the units',
  },
  'ops.units': {
    feature: 'The units run commands as they are documented.',
    test: 'the units run the documented commands',
  },
  'ops.nginx': {
    feature: 'The snippet that publishes a Gatherer is accepted by nginx.',
    test: 'nginx accepts the snippet inside a server block',
  },
  'ops.nginx-wire': {
    feature: 'Through nginx the SOIF stream and the wire reach a Gatherer.',
    test: 'through nginx the stream and the wire reach a Gatherer',
  },
  'ops.terminal-safe': {
    feature: 'Nothing unsafe for a terminal survives in what is printed.',
    test: 'nothing unsafe survives, whatever comes',
  },
  'ops.manual-commands': {
    feature: 'Every command shown in the manual is accepted.',
    test: 'every command shown parses, its settings with it',
  },
  'ops.manual-config': {
    feature: 'Every configuration shown in the manual is valid.',
    test: 'every configuration shown is valid',
  },
  'ops.manual-names': {
    feature: 'Every verb, setting, variable and error code that the manual names exists.',
    test: 'every verb, setting, variable and error code named in the text exists',
  },
  'ops.manual-links': {
    feature: 'Every link in the manual leads somewhere.',
    test: 'every relative link resolves',
  },
  'ops.manual-pages': {
    feature: 'Every page of the manual is reached from the first one.',
    test: 'every page of the manual has one title of its own and is reached from the first page',
  },
  'ops.manual-settings': {
    feature: 'Every option of a root is explained in the manual.',
    test: 'every option of a root is explained',
  },
  'ops.error-codes': {
    feature: 'Every error code is in one table and in the manual.',
    test: 'every error code stands in one table only, and its sentences hold no slip',
  },
  'ops.backup': {
    feature: 'A data folder that was copied while its server was stopped opens elsewhere as the same server.',
    test: 'a data folder that was copied while it was not served is the same Gatherer elsewhere',
  },
  'ops.install': {
    feature: 'The npm tarball installs without a compiler, as an unprivileged user, and searches a folder.',
    test: 'it is installed by a user with node and npm alone, and searches a folder',
  },
  'ops.tarball': {
    feature: 'The npm tarball holds no test and no fixture.',
    test: 'the npm package holds what runs and nothing else',
  },
  'ops.debian-package': {
    feature: 'The Debian package is installed, upgraded, removed and purged on a Debian system.',
    test: 'a Debian system installs, upgrades, removes and purges it',
  },
  'ops.reproducible': {
    feature: 'Two builds of the Debian package are the same bytes.',
    test: 'the package is the same when it is built twice, and belongs to root',
  },
  'ops.man-pages': {
    feature: 'Man pages name every verb and every setting.',
    test: 'man pages name every verb and setting, and units pass',
  },
  'house.rooms': {
    feature: 'Imports run downhill, through doors, and between rooms that may see each other.',
    test: 'imports run downhill, through doors, between rooms that may see each other',
  },
  'house.circles': {
    feature: 'No file imports itself through others, and no room may.',
    test: 'no file imports itself through others, and no room may',
  },
  'house.sizes': {
    feature: 'Folders have few loose files, rooms few files, and few files are tiny.',
    test: 'folders stay small: few loose files, rooms that a reader holds in mind, few tiny files',
  },
  'house.loads': {
    feature: 'A program loads only the rooms that it uses.',
    test: 'a program loads the rooms that a folder of one page needs, and no others',
  },
  'house.words': {
    feature: 'Names have no word that the glossary bars.',
    test: 'no name has a word that the glossary bars',
  },
  'house.prose': {
    feature: 'Sources and manual have no word that the glossary bars.',
    test: 'no source and no page of the manual has a word that the glossary bars',
  },
};
