import { EventEmitter } from 'node:events';
import { brokerErrors, engineErrors, viewErrors } from '../broker/index.ts';
import { cacheErrors } from '../cache/index.ts';
import {
  allSettings,
  checkConfig,
  cliErrors,
  commonOptions,
  groups,
  type Program,
  programVerbs,
  runProgram,
  settingFlags,
  type Verb,
  variableOf,
  verbs,
  type World,
  wordsOf,
} from '../cli/index.ts';
import { exchangeErrors } from '../exchange/index.ts';
import {
  credentialsErrors,
  fetchErrors,
  ftpErrors,
  gopherErrors,
  objectCacheErrors,
} from '../fetch/index.ts';
import {
  annotationErrors,
  customiseErrors,
  enumerationErrors,
  gatherdErrors,
  gathererErrors,
  moduleErrors,
  programErrors,
  rootErrors,
  summarisedTypes,
  summariseErrors,
  summariserOf,
  typeMediaTypes,
  unnestErrors,
} from '../gatherer/index.ts';
import { httpErrors } from '../http/index.ts';
import { type ErrorKind, formatDuration, formatSize, type Setting } from '../kernel/index.ts';
import { linesErrors } from '../line-protocol/index.ts';
import { publicationErrors } from '../publication/index.ts';
import { queryErrors } from '../query/index.ts';
import { registryErrors } from '../registry/index.ts';
import { soifErrors } from '../soif/index.ts';
import { storeErrors } from '../store/index.ts';
import { webErrors } from '../web/index.ts';
import { wireErrors } from '../wire/index.ts';
import { formatTable } from './formats/format-table.ts';
import { attributeTable, precedenceTable } from './precedence-table.ts';
import { registryAttributesPage } from './registry/attributes-page.ts';
import type { Exhibit } from './zoo/exhibit.ts';
import { zoo } from './zoo/index.ts';

// The pages of the manual that are generated from the program's own tables.

type AnyErrorTable = Readonly<Record<string, ErrorKind<never>>>;

/** Every error table of the program, by the subject of its errors. */
export const errorTables: Readonly<Record<string, AnyErrorTable>> = {
  'The command line and the configuration (cli)': cliErrors,
  'Gathering (gatherer)': { ...gathererErrors, ...enumerationErrors, ...summariseErrors },
  'Roots of other schemes (gatherer)': rootErrors,
  'Rules, programs and modules of your own (gatherer)': {
    ...customiseErrors,
    ...programErrors,
    ...moduleErrors,
  },
  'Documents inside documents (gatherer)': unnestErrors,
  'Annotations (gatherer)': annotationErrors,
  'The gatherd port (gatherer)': gatherdErrors,
  'Fetching from the Web (fetch)': { ...fetchErrors, ...credentialsErrors },
  'FTP and Gopher (fetch)': { ...ftpErrors, ...gopherErrors },
  'Fetching through an object cache (fetch)': objectCacheErrors,
  'Stores on disk (store)': storeErrors,
  'Collecting (exchange)': exchangeErrors,
  'Publishing over HTTP (publication)': publicationErrors,
  'Sessions between servers (wire)': wireErrors,
  'Queries (query)': queryErrors,
  'Searching (broker)': { ...brokerErrors, ...engineErrors },
  'Views (broker)': viewErrors,
  'The Object Cache (cache)': cacheErrors,
  'The Registry (registry)': registryErrors,
  'HTTP (http)': httpErrors,
  'Ports that speak lines (lines)': linesErrors,
  'Pages (web)': webErrors,
  'SOIF (soif)': soifErrors,
};

const generated =
  '<!-- Written from the tables of the program: GARNER_WRITE_DOCS=1 npm test -- test/docs -->';

/** A placeholder for any datum of a message: it shows its name in braces. */
function placeholder(name: string): unknown {
  const shown = `{${name}}`;
  return {
    length: 1,
    slice: () => placeholder(name),
    join: () => shown,
    toJSON: () => shown,
    // `port + 1` needs a primitive of no particular type; text needs a string.
    [Symbol.toPrimitive]: (hint: string) =>
      hint === 'number' ? Number.NaN : hint === 'default' ? `${shown} + ` : shown,
  };
}

const anyData = new Proxy({}, { get: (_, name) => placeholder(String(name)) }) as never;

const retryWords = {
  never: 'trying again does not help',
  later: 'trying again later may help',
  now: 'trying again at once may help',
};

/** docs/errors.md */
export function errorsPage(): string {
  const parts = [
    '# Error codes',
    generated,
    'Every error has a code that never changes, a message that says what happened and a hint that says what to do. On a',
    'terminal the code is in square brackets. Over HTTP the answer is `{"error": {"code", "message", "hint"}}`. Match',
    'on the code: the messages may change. Words in braces are placeholders.',
    '',
    '## Exit codes of the command',
    '',
    '- 0: done',
    '- 1: failed',
    '- 2: wrong usage, on the command line or in the configuration',
    '- 3: done, but some pages could not be read',
    '- 10: there is no store here',
    '- 11: the store is in use by another process',
    '- 12: a peer or a site cannot be reached',
    '- 130: interrupted',
  ];
  for (const [about, table] of Object.entries(errorTables)) {
    parts.push('', `## ${about}`);
    for (const { code, message, hint, advice, exit, retry, status } of Object.values(table)) {
      const http = status === undefined ? '' : `, HTTP status ${status}`;
      parts.push(
        '',
        `### ${code}`,
        '',
        `${message(anyData)}`,
        '',
        `- What to do: ${advice ?? hint(anyData)}`,
        `- Exit code ${exit}${http}; ${retryWords[retry]}.`,
      );
    }
  }
  return `${escaped(parts).join('\n')}\n`;
}

/** Angle brackets of a message are not HTML. */
function escaped(parts: readonly string[]): string[] {
  return parts.map((part) => (part === generated ? part : part.replaceAll('<', '\\<')));
}

function defaultOf(setting: Setting): string {
  switch (setting.kind) {
    case 'duration':
      return `\`${formatDuration(setting.default)}\``;
    case 'size':
      return `\`${formatSize(setting.default)}\``;
    case 'list':
      return setting.default.length === 0 ? 'none' : `\`${setting.default.join(', ')}\``;
    case 'records':
      return 'none';
    case 'text':
      return setting.default === '' ? 'empty' : `\`${setting.default}\``;
    case 'flag':
    case 'count':
    case 'choice':
      return `\`${String(setting.default)}\``;
  }
}

function valuesOf(setting: Setting): string {
  switch (setting.kind) {
    case 'duration':
      return 'a time such as `10s`, `5m`, `2h`, `7d`';
    case 'size':
      return 'a size such as `512`, `64KiB`, `10MB`';
    case 'flag':
      return '`true` or `false`';
    case 'choice':
      return `one of ${setting.choices.map((choice) => `\`${choice}\``).join(', ')}`;
    case 'count':
      return setting.max === undefined
        ? `a whole number from ${setting.min ?? 0}`
        : `a whole number from ${setting.min ?? 0} to ${setting.max}`;
    case 'list':
      return `one text or several, each ${setting.entry}`;
    case 'records':
      return `a list in the file, each entry ${setting.entry}`;
    case 'text':
      return 'a text';
  }
}

interface FlagUse {
  readonly verb: string;
  readonly name: string;
}

/** The verbs that take each setting as a flag, with its short name. */
async function flagUses(): Promise<Map<string, FlagUse[]>> {
  const uses = new Map<string, FlagUse[]>();
  for (const verb of verbs) {
    if (verb.settings === undefined || verb.command === 'config') continue;
    const taken = [...Object.keys(verb.options ?? {}), ...commonOptions];
    for (const { setting, name } of settingFlags(await verb.settings(), taken)) {
      const list = uses.get(setting.key) ?? [];
      list.push({ verb: wordsOf(verb).join(' '), name });
      uses.set(setting.key, list);
    }
  }
  return uses;
}

const groupTitles: Readonly<Record<string, string>> = {
  gatherer: 'Gathering (gatherer)',
  fetch: 'Fetching from the Web (fetch)',
  broker: 'Broker (broker)',
  exchange: 'Collecting (exchange)',
  cache: 'The Object Cache (cache)',
  store: 'Stores (store)',
  http: 'Listening for HTTP (http)',
  wire: 'Sessions between servers (wire)',
  server: 'Registering (server)',
  registry: 'The Registry (registry)',
};

function settingLines(setting: Setting, uses: readonly FlagUse[]): string[] {
  const whole = setting.key.replaceAll('.', '-');
  const short = new Set(uses.filter(({ name }) => name !== whole).map(({ name }) => name));
  const flags = [whole, ...short].map((name) => `\`--${name}\``).join(' or ');
  const sentence = setting.describe.endsWith('.') ? setting.describe : `${setting.describe}.`;
  return [
    '',
    `### ${setting.key}`,
    '',
    sentence,
    '',
    `- Default ${defaultOf(setting)}; ${valuesOf(setting)}${setting.secret ? '; never printed' : ''}.`,
    `- Variable \`${variableOf(setting.key)}\`${uses.length === 0 ? '' : `, flag ${flags}`}.`,
    ...(uses.length === 0 ? [] : [`- Taken by ${uses.map(({ verb }) => `\`${verb}\``).join(', ')}.`]),
    ...('example' in setting ? ['', '```yaml', `${setting.key}: ${setting.example}`, '```'] : []),
  ];
}

/** docs/config.md */
export async function configPage(): Promise<string> {
  const uses = await flagUses();
  const parts = [
    '# Configuration: every setting',
    generated,
    'The value of a setting comes from the first of these that sets it: a flag on the command line, an environment variable,',
    'the file `garner.yaml` in the current folder (or the one that `--config` or `GARNER_CONFIG` names), its default.',
    '`garner config` shows every effective value and its origin. An unknown setting is an error.',
    '',
    '```yaml',
    '# garner.yaml: groups may be indented or written with a dot',
    'gatherer:',
    '  recheck: 10m',
    '  stop: [Image, Archive]',
    'http.host: 0.0.0.0',
    '```',
    '',
    'In a variable commas or spaces separate the items of a list. A flag is repeated for each item. The short flag',
    'of a setting is absent in a verb where two settings would share it; the long one works everywhere. A flag that',
    'is on by default is turned off with `no-` before its name, as in `--no-robots`.',
  ];
  for (const [group, title] of Object.entries(groupTitles)) {
    parts.push('', `## ${title}`);
    for (const setting of allSettings.filter(({ key }) => key.startsWith(`${group}.`)))
      parts.push(...settingLines(setting, uses.get(setting.key) ?? []));
  }
  return `${parts.join('\n')}\n`;
}

/** The program of this command with these verbs. */
export function program(own: readonly Verb[] = verbs): Program {
  return {
    name: 'garner',
    version: '0',
    describe: 'Garner: federated search over many sites, each summarised where it is',
    verbs: own,
    groups,
    settings: async () => allSettings,
    check: checkConfig,
  };
}

/** Run a command line in this process, in an empty environment; resolves to its exit code and its output. */
export async function runLine(
  argv: readonly string[],
  { cwd, own = verbs }: { readonly cwd: string; readonly own?: readonly Verb[] },
): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const stream = Object.assign(new EventEmitter(), {
    columns: 84,
    write: (part: string, written?: () => void) => {
      text += part;
      written?.();
      return true;
    },
  });
  const interrupts = Object.assign(new EventEmitter(), { exit: () => {} });
  const world: World = { stdout: stream, stderr: stream, env: {}, cwd, interrupts };
  return { code: await runProgram(program(own), argv, world), text };
}

/** docs/cli.md */
export async function cliPage(cwd: string): Promise<string> {
  const help = async (words: readonly string[]) => {
    const { text } = await runLine([...words, '--help'], { cwd });
    return ['', '```text', text.trimEnd(), '```'];
  };
  const parts = [
    '# The garner command: every verb',
    generated,
    'The output of `--help`. The programs `gatherer` and `broker` are the same verbs without their first word:',
    '`gatherer serve` is `garner gatherer serve`. Data goes to standard output, messages go to standard',
    'error. The first Ctrl-C stops cleanly, the second at once. Settings are options too: [every setting](config.md) has its flag.',
    '',
    '## garner',
    ...(await help([])),
  ];
  for (const verb of [...verbs, ...programVerbs('garner')]) {
    const words = wordsOf(verb);
    parts.push('', `## garner ${words.join(' ')}`, ...(await help(words)));
  }
  return `${parts.join('\n')}\n`;
}

function exampleOf({ name, from }: Exhibit): string {
  if ('absent' in from) return `none, because ${from.absent}`;
  if ('file' in from) return `\`${[from.file].flat()[0]}\` of Debian’s ${from.of}`;
  const makers = from.by.length === 0 ? ['tar'] : from.by;
  return `\`${name === '' ? 'a listing' : name}\`, made with ${makers.join(', ')}`;
}

const linkToType = (type: string) => `[${type}](#${type.toLowerCase()})`;

/** docs/summarisers.md */
export async function summarisersPage(): Promise<string> {
  const parts = [
    '# What a summary holds: every type',
    generated,
    'Every summary has a title, a type, a size, dates, and an MD5 unless the document is [too large](gatherer.md#limits). The',
    'tables list the other attributes. A summary has an attribute only if the document has it. Each meaning of an attribute is',
    'on a line of its own. The examples are real files of Debian’s packages, or files made by its programs.',
    '',
    'A document that is not what its name or header says also has `Types-Tried`: the types that its bytes or their readers',
    'refused, one per line. `gatherer.text` sets what the summary holds of the text: `Full-Text`, or the `Keywords`,',
    '`Headings` and `Partial-Text` made from it ([how much text](gatherer.md#how-much-text-full-selected-terse-none)). An',
    'archive whose documents have summaries has no summary of its own.',
    '',
    'Your own patterns, programs and modules come first, then front matter or a description of a package, then the text.',
    'A field that comes first replaces the others of its name, also the numbered ones (`Author-1`, `Author-2`).',
    '',
    `Types: ${summarisedTypes.toSorted().map(linkToType).join(', ')}.`,
  ];
  const typeOfTable = new Map<string, string>();
  for (const type of summarisedTypes.toSorted()) {
    const notes = (await summariserOf(type)?.attributes()) ?? [];
    const mediaType = new Map(Object.entries(typeMediaTypes)).get(type) ?? '';
    const examples = zoo.filter((exhibit) => exhibit.type === type).map(exampleOf);
    parts.push('', `## ${type}`, '', `\`${mediaType}\`. Example: ${[...new Set(examples)].join('; ')}.`, '');
    const table = attributeTable(notes);
    const first = typeOfTable.get(table) ?? type;
    typeOfTable.set(table, first);
    parts.push(first === type ? table : `The attributes are those of ${linkToType(first)}.`);
    if (type === 'HTML') parts.push(...precedenceTable());
  }
  parts.push(...formatTable());
  return `${parts.join('\n')}\n`;
}

/** The generated pages by file name. */
export async function generatedPages(cwd: string): Promise<Readonly<Record<string, string>>> {
  return {
    'errors.md': errorsPage(),
    'config.md': await configPage(),
    'cli.md': await cliPage(cwd),
    'summarisers.md': await summarisersPage(),
    'registry-attributes.md': registryAttributesPage(generated),
  };
}
