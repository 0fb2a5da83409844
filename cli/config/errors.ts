import { defineErrors } from '../../kernel/index.ts';
import { isPort } from '../text/did-you-mean.ts';
import { systemErrors } from './out-of-files.ts';
import { defaultPorts } from './ports.ts';

/** Several mistakes in a configuration, the first of them with their places. */
export interface MistakesData {
  readonly count: number;
  readonly mistakes: readonly {
    readonly code: string;
    readonly message: string;
    readonly hint: string;
    readonly at: string | undefined;
  }[];
  readonly more: number;
}

type BadSetting = Readonly<Record<'key' | 'at' | 'problem' | 'cure', string>>;
type ConfigUnreadable = Readonly<Record<'at' | 'problem' | 'cure', string>>;
type UnknownSetting = Readonly<Record<'key' | 'at', string> & { near: string | undefined }>;

/** The default port of the server that a key belongs to. */
function usualPort(key: string): number {
  if (/\bcache\b|_CACHE_/.test(key)) return defaultPorts.cache;
  return /\bgatherer\b|_GATHERER_/.test(key) ? defaultPorts.gatherer : defaultPorts.broker;
}

const wrongInput = { exit: 2, retry: 'never' } as const;

/** `at` is the place in the configuration. */
const ownErrors = defineErrors({
  CLI_USAGE: {
    message: (data: { problem: string; help: string }) => data.problem,
    hint: (data: { problem: string; help: string }) => data.help,
    advice: 'correct the command line; the verb with --help lists its arguments and options',
    ...wrongInput,
  },
  CLI_UNKNOWN_SETTING: {
    message: (data: UnknownSetting) => `unknown setting ${data.key}`,
    hint: (data: UnknownSetting) =>
      data.near !== undefined
        ? `did you mean ${data.near}?`
        : isPort(data.key)
          ? `a port is given on the command line: --port ${usualPort(data.key)}`
          : 'garner config lists every setting',
    advice: 'correct the name; garner config lists every setting',
    ...wrongInput,
  },
  CLI_BAD_SETTING: {
    message: (data: BadSetting) => `${data.key} ${data.problem}`,
    hint: (data: BadSetting) => data.cure,
    advice:
      'give the setting a valid value, or remove it; config.md of the manual has the values of every setting',
    ...wrongInput,
  },
  CLI_MISTAKES: {
    message: (data: MistakesData) => `${data.count} mistakes in the configuration`,
    hint: () => 'correct each of them; garner config checks the configuration without starting anything',
    ...wrongInput,
  },
  CLI_SERVER_RUNS: {
    message: ({ flags, role, pid }: { flags: readonly string[]; role: string; pid: number }) =>
      `${flags.join(', ')} cannot take effect: a ${role} serves this data (process ${pid}) and answers with its own settings`,
    hint: () => 'leave it out; to change the setting, stop that server and start it with the new value',
    ...wrongInput,
  },
  CLI_CONFIG_SYNTAX: {
    message: (data: { at: string; problem: string }) =>
      `the configuration is not valid YAML: ${data.problem}`,
    hint: () => 'correct that line; write a setting as   key: value',
    ...wrongInput,
  },
  CLI_CONFIG_UNREADABLE: {
    message: (data: ConfigUnreadable) => `the configuration file ${data.problem}`,
    hint: (data: ConfigUnreadable) => data.cure,
    advice: 'give an existing file that this user can read with --config, or omit --config',
    ...wrongInput,
  },
  CLI_INPUT_UNREADABLE: {
    message: (data: { path: string; problem: string }) => `${data.path} ${data.problem}`,
    hint: () => 'give a file that this user can read, or - for standard input',
    ...wrongInput,
  },
  CLI_ANNOTATIONS: {
    message: (data: { data: string; site: string; annotations: string }) =>
      `${data.data} holds ${data.annotations} of ${data.site}, which gathering another site would delete`,
    hint: (data: { data: string; site: string; annotations: string }) =>
      `give another folder with --data, or save them (garner gatherer annotate --export --data ${data.data}) and add --delete-annotations`,
    ...wrongInput,
  },
  CLI_SITE_PORT: {
    message: (data: { port: number }) => `port ${data.port} is already in use`,
    hint: (data: { port: number }) =>
      `stop the program that uses it, or choose another --site-port, such as ${data.port < 65_535 ? data.port + 1 : defaultPorts.site}, or --site-port 0 for any free port`,
    exit: 1,
    retry: 'later',
  },
  CLI_DEMO_SERVER: {
    message: (data: { name: string; why: string }) => `the demo cannot start ${data.name}: ${data.why}`,
    hint: () => 'when a port is in use, stop the program that uses it, or choose another --port',
    exit: 1,
    retry: 'later',
  },
  CLI_IMPORT_EMPTY: {
    message: (data: { path: string; format: string }) =>
      `${data.path} holds no annotation in the format ${data.format}`,
    hint: () => 'give the format of the file with --as, or omit --as: then it is recognised from the content',
    ...wrongInput,
  },
  CLI_INTERRUPTED: {
    message: () => 'interrupted',
    hint: () => 'run the same command again to continue',
    exit: 130,
    retry: 'now',
  },
});

/** Errors of the command line and the configuration, before a verb does its work, and of the process itself. */
export const cliErrors = { ...ownErrors, ...systemErrors };
