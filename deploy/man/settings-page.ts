import { allSettings, variableOf } from '../../cli/index.ts';
import { formatDuration, formatSize, type Setting } from '../../kernel/index.ts';
import { argument, type Page, prose, sentence, taggedList } from './mdoc.ts';

// garner.yaml(5): every setting, from the tables of the program.

function defaultOf(setting: Setting): string {
  switch (setting.kind) {
    case 'duration':
      return formatDuration(setting.default);
    case 'size':
      return formatSize(setting.default);
    case 'list':
      return setting.default.join(', ') || 'none';
    case 'records':
      return 'none';
    case 'text':
      return setting.default || 'empty';
    case 'flag':
    case 'count':
    case 'choice':
      return String(setting.default);
  }
}

function shownValue(setting: Setting): string {
  switch (setting.kind) {
    case 'choice':
      return setting.choices.join(' | ');
    case 'flag':
      return 'true | false';
    case 'count':
      return 'number';
    case 'records':
      return 'list';
    case 'duration':
    case 'size':
    case 'list':
    case 'text':
      return setting.kind;
  }
}

function entryOf(setting: Setting): readonly [string, readonly string[]] {
  const isList = setting.kind === 'list' || setting.kind === 'records';
  const entries = isList
    ? prose(`Each entry is ${sentence(setting.entry).replace(/^./, (c) => c.toLowerCase())}`)
    : [];
  return [
    `Cm ${argument(setting.key)} Ar ${argument(shownValue(setting))}`,
    [
      ...prose(sentence(setting.describe)),
      ...entries,
      ...prose(`Default: ${defaultOf(setting)}.`),
      'Variable:',
      `.Ev \\%${variableOf(setting.key)} .`,
      ...('example' in setting ? ['.Pp', `.Dl ${argument(`${setting.key}: ${setting.example}`)}`] : []),
    ],
  ];
}

/** Settings by the first part of their keys, in the order of the tables. */
function groupsOfSettings(): Map<string, Setting[]> {
  const groups = new Map<string, Setting[]>();
  for (const setting of allSettings) {
    const group = setting.key.split('.')[0] ?? '';
    groups.set(group, [...(groups.get(group) ?? []), setting]);
  }
  return groups;
}

/** garner.yaml(5). */
export function settingsPage(): Page {
  return {
    name: 'garner.yaml',
    section: 5,
    describe: 'configuration of Garner',
    body: [
      '.Sh DESCRIPTION',
      ...prose(
        'A setting is taken from the first of these that has it: an option on the command line, a variable in the environment, this file, its default.',
      ),
      'The file is',
      '.Pa garner.yaml',
      'in the current folder, or the one that the option',
      '.Fl -config',
      'or the variable',
      '.Ev GARNER_CONFIG',
      'names.',
      'The systemd units read',
      '.Pa /etc/garner/garner.yaml .',
      '.Pp',
      ...prose(
        'The file is YAML. Groups are indented or written with a dot. An unknown setting is an error. A duration is a number with s, m, h, d or w. A size is a number of bytes, or a number with KiB, MiB, GiB, kB, MB or GB.',
      ),
      '.Bd -literal -offset indent',
      'gatherer:',
      '  recheck: 10m',
      '  stop: [Image, Archive]',
      'http.host: 0.0.0.0',
      '.Ed',
      '.Pp',
      'The command',
      '.Ic garner config',
      'prints every effective value and its origin.',
      ...[...groupsOfSettings()].flatMap(([group, settings]) => [
        `.Sh SETTINGS OF ${group.toUpperCase()}`,
        ...taggedList(settings.map(entryOf)),
      ]),
      '.Sh FILES',
      ...taggedList([
        ['Pa garner.yaml', ['The configuration of commands that run in this folder.']],
        ['Pa /etc/garner/garner.yaml', ['The configuration of the systemd units.']],
      ]),
      '.Sh SEE ALSO',
      '.Xr garner 1',
    ],
  };
}
