import { commonOptions, groups, settingFlags, type Verb, verbs, wordsOf } from '../../cli/index.ts';
import type { Setting } from '../../kernel/index.ts';
import { argument, escaped, longOption, type Page, prose, sentence, taggedList } from './mdoc.ts';

// garner(1), and a page for each group of verbs, from the tables of verbs, options and settings.

type Entry = readonly [head: string, lines: readonly string[]];
type Option = NonNullable<Verb['options']>[string];

const commonTexts: Readonly<Record<string, Entry>> = {
  json: ['Fl -json', ['Print JSON, one value on each line.']],
  quiet: ['Fl q , -quiet', ['Print no notes and no progress.']],
  verbose: ['Fl -verbose', ['Print the causes of an error.']],
  color: ['Fl -no-color', ['Print no colours on a terminal.']],
  config: [
    'Fl -config Ar file',
    ['Read this configuration file.', 'Without it,', '.Pa garner.yaml', 'in the current folder is read.'],
  ],
  help: ['Fl h , -help', ['Print the verbs and options.']],
  version: ['Fl -version', ['Print the version.']],
};

const exitCodes: readonly (readonly [code: number, text: string])[] = [
  [0, 'Done.'],
  [1, 'Failed.'],
  [2, 'Wrong usage, on the command line or in the configuration.'],
  [3, 'Done, but some pages could not be read.'],
  [10, 'There is no store here.'],
  [11, 'The store is in use by another process.'],
  [12, 'A peer or a site cannot be reached.'],
  [130, 'Interrupted.'],
];

/** The groups that have a page and, but for a few, a first word in common. */
const pageGroups = Object.keys(groups).filter((name) => !name.includes(' '));

/** The groups whose verbs are a program of their own. */
export const programs = ['gatherer', 'broker'];

function commonEntries(): Entry[] {
  return commonOptions.map((name) => {
    const entry = commonTexts[name];
    if (entry === undefined) throw new TypeError(`the manual has no text for --${name}`);
    return entry;
  });
}

function defaultOf(option: Option): string[] {
  if (!('default' in option) || option.default === undefined || option.default === false) return [];
  return prose(`Default: ${option.default}.`);
}

function optionEntry([name, option]: readonly [string, Option]): Entry {
  const alias = option.alias === undefined ? '' : `Fl ${option.alias} , `;
  const value = option.kind === 'flag' ? undefined : option.kind === 'count' ? 'number' : option.kind;
  const head = `${alias}${longOption(name, value)}`.replace(/, Fl -/, ', -');
  const choices =
    option.kind === 'text' && option.choices ? prose(`One of ${option.choices.join(', ')}.`) : [];
  const more = [
    ...(option.required ? ['This option is required.'] : []),
    ...(option.kind === 'list' ? ['This option can be repeated.'] : []),
  ];
  return [head, [...prose(sentence(option.describe)), ...choices, ...defaultOf(option), ...more]];
}

function settingEntry(setting: Setting, name: string): Entry {
  const isOn = setting.kind === 'flag' && setting.default;
  const head =
    setting.kind === 'flag' ? longOption(isOn ? `no-${name}` : name) : longOption(name, setting.kind);
  return [
    head,
    [
      ...prose(sentence(setting.describe)),
      ...(isOn ? ['This option turns the setting off.'] : []),
      'Setting',
      `.Cm ${argument(setting.key)} .`,
    ],
  ];
}

/** The arguments of a command, such as `<query..>`, as macros. */
function argumentsOf(verb: Verb): string {
  return verb.command
    .split(' ')
    .filter((word) => /^[[<]/.test(word))
    .map((word) => {
      const name = argument(word.replace(/[[\]<>]|\.\./g, ''));
      const more = word.includes('..') ? ' ...' : '';
      return word.startsWith('[') ? `Op Ar ${name}${more}` : `Ar ${name}${more}`;
    })
    .join(' ');
}

/** The section of one verb. */
async function verbSection(verb: Verb): Promise<string[]> {
  const words = wordsOf(verb).join(' ');
  const own = Object.entries(verb.options ?? {});
  const positionals = Object.entries(verb.positionals ?? {}).map(
    ([name, describe]): Entry => [`Ar ${argument(name)}`, prose(sentence(describe))],
  );
  const settings = (await verb.settings?.()) ?? [];
  const flags = settingFlags(settings, [...Object.keys(verb.options ?? {}), ...commonOptions]);
  const shown = flags.filter(({ setting }) => verb.shownSettings?.includes(setting.key));
  const families = [...new Set(settings.map(({ key }) => key.split('.')[0] ?? ''))];
  const entries = [
    ...positionals,
    ...own.map(optionEntry),
    ...shown.map(({ setting, name }) => settingEntry(setting, name)),
  ];
  const required = argumentsOf(verb);
  return [
    `.Ss garner ${words}`,
    `.Ic garner ${words}`,
    ...(required === '' ? [] : [`.${required}`]),
    '.Op Ar options',
    '.Pp',
    ...prose(sentence(verb.describe)),
    ...taggedList(entries),
    ...(families.length === 0
      ? []
      : [
          ...(entries.length === 0 ? [] : ['.Pp']),
          ...prose(`The settings of these groups are options too: ${families.join(', ')}.`),
          'See',
          '.Xr garner.yaml 5 .',
        ]),
    ...(verb.examples ?? []).flatMap(([line, describe]) => [
      '.Pp',
      ...prose(`${sentence(describe).slice(0, -1)}:`),
      `.Dl $ garner ${argument(line).replace(/^"|"$/g, '')}`,
    ]),
  ];
}

function closing(others: readonly string[]): string[] {
  const related = [...others.map((name) => [name, 1] as const), ['garner.yaml', 5] as const];
  return [
    '.Sh ENVIRONMENT',
    ...taggedList([
      ['Ev GARNER_CONFIG', ['The configuration file.']],
      ['Ev GARNER_LOG_LEVEL', ['The lowest level of JSON log lines: debug, info, warn, error or silent.']],
    ]),
    '.Pp',
    'Every setting has a variable.',
    'See',
    '.Xr garner.yaml 5 .',
    '.Sh FILES',
    ...taggedList([
      ['Pa garner.yaml', ['Configuration in the current folder.']],
      ['Pa garner-data', ['Data, unless the option', '.Fl -data', 'names another folder.']],
      ['Pa /etc/garner/garner.yaml', ['Configuration of the systemd units.']],
      ['Pa /var/lib/garner', ['Data of the systemd units.']],
    ]),
    '.Sh EXIT STATUS',
    ...taggedList(exitCodes.map(([code, text]) => [String(code), prose(text)])),
    '.Sh SEE ALSO',
    ...related.map(([name, section], at) => `.Xr ${name} ${section}${at === related.length - 1 ? '' : ' ,'}`),
  ];
}

const pageOf = (group: string) => `garner-${group}`;

/** garner(1): every verb with its line, those of no group in full. */
async function mainPage(): Promise<Page> {
  const single = verbs.filter((verb) => wordsOf(verb).length === 1);
  const list = verbs.map(
    (verb): Entry => [`Ic garner ${wordsOf(verb).join(' ')}`, prose(sentence(verb.describe))],
  );
  return {
    name: 'garner',
    section: 1,
    describe: 'federated search over many sites',
    body: [
      '.Sh SYNOPSIS',
      '.Nm',
      '.Ar verb',
      '.Op Ar options',
      '.Sh DESCRIPTION',
      ...prose(
        'A Gatherer runs at a site and keeps a summary of each of its documents. A Broker collects the summaries of any number of Gatherers, indexes them and answers queries. An Object Cache answers requests of the Web from what it has stored.',
      ),
      '.Pp',
      'Data goes to standard output, messages go to standard error.',
      ...prose('The first SIGINT or SIGTERM ends a verb in order, the second one ends the process at once.'),
      ...programs.flatMap((name) => [
        'The program',
        `.Xr ${name} 1`,
        'has the verbs of',
        `.Ic garner ${name}`,
        'without their first word.',
      ]),
      '.Sh VERBS',
      ...taggedList([
        ...list,
        ['Ic garner completion', ['Print a completion script for bash or zsh.']] satisfies Entry,
      ]),
      '.Sh VERBS OF NO GROUP',
      ...(await Promise.all(single.map(verbSection))).flat(),
      '.Sh OPTIONS OF EVERY VERB',
      ...taggedList(commonEntries()),
      ...closing(pageGroups.map(pageOf).toSorted()),
    ],
  };
}

async function groupPage(group: string): Promise<Page> {
  const own = verbs.filter((verb) => wordsOf(verb).length > 1 && wordsOf(verb)[0] === group);
  const describe = groups[group] ?? '';
  return {
    name: pageOf(group),
    section: 1,
    describe,
    body: [
      '.Sh SYNOPSIS',
      `.Nm garner ${group}`,
      '.Ar verb',
      '.Op Ar options',
      ...(programs.includes(group) ? [`.Nm ${group}`, '.Ar verb', '.Op Ar options'] : []),
      '.Sh DESCRIPTION',
      ...prose(sentence(describe)),
      ...Object.entries(groups)
        .filter(([name]) => name.startsWith(`${group} `))
        .flatMap(([name, line]) => ['.Pp', `.Ic garner ${escaped(name)} :`, ...prose(sentence(line))]),
      '.Sh VERBS',
      ...(await Promise.all(own.map(verbSection))).flat(),
      '.Sh OPTIONS OF EVERY VERB',
      ...taggedList(commonEntries()),
      ...closing(['garner', ...pageGroups.filter((name) => name !== group).map(pageOf)].toSorted()),
    ],
  };
}

/** Every page about verbs. */
export async function verbPages(): Promise<Page[]> {
  return [await mainPage(), ...(await Promise.all(pageGroups.map(groupPage)))];
}
