import type { Area } from './feature.ts';

export const cli: Area = {
  'cli.up-folder': {
    feature: '`garner up FOLDER` makes every page of a folder searchable, and results open.',
    test: 'up over the Python manual as a folder: every page is found and opens',
  },
  'cli.up-web': {
    feature: '`garner up URL` makes every page of a web site searchable, and fetches no page twice.',
    test: 'up over the Python manual behind nginx: every page is found, and no body is fetched twice',
  },
  'cli.up-follows': {
    feature: 'Under `garner up` changed pages are found and deleted ones gone within moments.',
    test: 'up over three manuals: found, changed, deleted, and opened again at once',
  },
  'cli.up-replace': {
    feature:
      'A second `up` with another site replaces the first and says so, and with the same site goes on.',
    test: 'a second up with another site replaces the first and reports it; with the same site it continues',
  },
  'cli.up-annotated': {
    feature: 'Another site does not replace an annotated one without `--delete-annotations`.',
    test: 'another site does not replace an annotated one unless its annotations may be deleted',
  },
  'cli.up-fails': {
    feature: 'An `up` that cannot start leaves the data of another site as it was.',
    test: 'an up that cannot start leaves the data of another site as it was',
  },
  'cli.port-unrecorded': {
    feature: 'A server that cannot open its port leaves no record of its site, and changes no other record.',
    test: 'a server that cannot open its port leaves no record of its site',
  },
  'cli.up-unrecorded': {
    feature: 'A kill before the new site is recorded loses nothing of the old one.',
    test: 'a kill before the new site is recorded loses nothing of the old one',
  },
  'cli.up-interrupted': {
    feature: 'An interrupted first run keeps what it gathered, and leaves the old data when that is nothing.',
    test: 'an interrupted first run keeps its gathered pages, and leaves the old data when there are none',
  },
  'cli.up-killed': {
    feature: 'After a kill in the first run the old data comes back.',
    test: 'after a kill in the first run the old data comes back, unless the new site is requested again',
  },
  'cli.up-held': {
    feature: 'A site is replaced only when both its stores are free.',
    test: 'a site is replaced only when both its stores are free',
  },
  'cli.cures': {
    feature: 'What is in the way of a command is named with its cure.',
    test: 'errors name the obstacle and a hint',
  },
  'cli.locked': {
    feature: 'A store that another process holds is an error that names that process.',
    test: 'a locked store',
  },
  'cli.port-in-use': {
    feature: 'A port in use is an error that names the option for another port.',
    test: 'a port in use',
  },
  'cli.no-folder': {
    feature: 'A folder that does not exist is named relative to where the user is.',
    test: 'an absent folder, relative to the current folder',
  },
  'cli.no-store': {
    feature: 'A data folder without a store is an error, and no folder is made.',
    test: 'no store',
  },
  'cli.no-peer': {
    feature: 'A source that cannot be reached is an error with a cure.',
    test: 'an absent peer',
  },
  'cli.usage': { feature: 'Wrong usage ends with exit code 2.', test: 'wrong usage' },
  'cli.one-error': {
    feature: 'A wrong command line gives one error, the way to the help and the verb that was meant.',
    test: 'a wrong command line is reported in one error and the way to help, never the help itself',
  },
  'cli.did-you-mean': {
    feature: 'A misspelt name leads to the nearest one.',
    test: 'the nearest name is offered when it is near',
  },
  'cli.help': {
    feature: 'The help of every verb has an example.',
    test: 'the help of every verb has an example',
  },
  'cli.completion': {
    feature: 'Help, version and completion run nothing.',
    test: 'help, version and completion are data and run nothing',
  },
  'cli.config': {
    feature: '`garner config` shows every setting with its value and where it comes from.',
    test: 'config, doctor and completion',
  },
  'cli.doctor': {
    feature: '`garner doctor` and `garner config` report what the configuration names and does not exist.',
    test: 'what is named and is not on this machine is reported: what a run refuses as a fault, the rest as a warning',
  },
  'cli.tools': {
    feature: 'The programs that gathering uses are shown as present only where they can be run.',
    test: 'outer tools are present where they can be run, and absent elsewhere',
  },
  'cli.exit-codes': {
    feature: 'The way a verb ends is its exit code.',
    test: 'how a verb ends is the exit code',
  },
  'cli.interrupt': {
    feature: 'Ctrl-C once ends a command in order, and twice at once.',
    test: 'Ctrl-C once asks to finish, twice ends at once',
  },
  'cli.interrupt-start': {
    feature: 'A signal while a command starts ends it.',
    test: 'a signal while a command starts ends it',
  },
  'cli.hangup': {
    feature: 'A closed terminal ends a command as Ctrl-C does.',
    test: 'SIGHUP ends as Ctrl-C does however often it comes, and has servers away from a terminal read again',
  },
  'cli.stdout': {
    feature: 'Data goes to standard output and everything else to standard error.',
    test: 'data goes to stdout, everything else to stderr',
  },
  'cli.json': {
    feature: 'With `--json` an error is one JSON value.',
    test: 'with --json an error is one JSON value on stderr',
  },
  'cli.colours': {
    feature: 'Colours are used on a terminal only, and never with NO_COLOR.',
    test: 'colours on a terminal only, and never with NO_COLOR or --no-color',
  },
  'cli.errors': {
    feature: 'An error says what is wrong, where and how to cure it, with its code.',
    test: 'an error says what, where and cure, with its code',
  },
  'cli.verbose': {
    feature: 'With `--verbose` the causes of an error are shown.',
    test: 'causes are shown with --verbose, as far as they go',
  },
  'cli.progress': {
    feature: 'Progress is one line on a terminal that is painted over.',
    test: 'on a terminal progress is one line that is painted over',
  },
  'cli.quiet': {
    feature: 'With `--quiet` or `--json` there is no progress.',
    test: 'with --quiet or --json there is no progress',
  },
  'cli.safe-text': {
    feature: 'Foreign text cannot steer a terminal.',
    test: 'foreign text cannot steer a terminal',
  },
  'cli.server-logs': {
    feature: 'Without `--json` a server logs sentences, and with `--json` lines of JSON.',
    test: 'without --json a server logs sentences, with --json JSON, on any output',
  },
  'cli.waits': {
    feature: 'A wait is reported while it lasts.',
    test: 'a wait is reported while it lasts, the longest of several, and short ones are not',
  },
  'cli.run-report': {
    feature: 'The line that ends a run shows how often the server answered what.',
    test: 'a run says how often the server answered what',
  },
  'cli.run-refused': {
    feature: 'A run reports what it left packed and why.',
    test: 'a run says why a mapped URL was requested, and which document was left packed by which code',
  },
  'cli.run-unreadable': {
    feature: 'A document that cannot be read is named once.',
    test: 'a document that cannot be read is named once',
  },
  'cli.dashes': {
    feature: 'Words after `--` are arguments, of every verb.',
    test: 'every word behind -- is an argument, of a verb that takes one and of one that takes many',
  },
  'cli.bare-host': {
    feature: 'An address without its scheme is answered with the whole address.',
    test: 'an address without its scheme is answered with the whole address',
  },
  'cli.remembered': {
    feature: 'A data folder remembers what it gathers.',
    test: 'what a data folder gathers is read back, and what is no site is none',
  },
  'cli.groups': {
    feature: 'The programs `gatherer` and `broker` are the verbs of their groups.',
    test: 'the verbs of one group stand alone under its own name',
  },
};
