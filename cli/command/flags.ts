import type { Options } from 'yargs';
import type { Setting } from '../../kernel/index.ts';
import type { FlagValue } from '../config/config.ts';
import type { VerbOption } from './verb.ts';

/** A setting's flags: the short one, when no other setting has it, and the whole one, which always works. */
export interface SettingFlags {
  readonly setting: Setting;
  /** `delay`, or the whole name when the short one is taken. */
  readonly name: string;
  /** `gatherer-delay` */
  readonly whole: string;
}

/** The flags of a verb's settings. `taken` are the names of its own and the program's options. */
export function settingFlags(settings: readonly Setting[], taken: readonly string[]): SettingFlags[] {
  const short = (setting: Setting) => setting.key.split('.').slice(1).join('-') || setting.key;
  // Tables that two roles share may come twice.
  const once = [...new Map(settings.map((setting) => [setting.key, setting])).values()];
  const claims = new Map<string, number>();
  for (const setting of once) claims.set(short(setting), (claims.get(short(setting)) ?? 0) + 1);
  return once.map((setting) => {
    const whole = setting.key.replaceAll('.', '-');
    const isFree = claims.get(short(setting)) === 1 && !taken.includes(short(setting));
    return { setting, whole, name: isFree ? short(setting) : whole };
  });
}

/** The heading of each group of settings in help. */
const groupTitles: Readonly<Record<string, string>> = {
  gatherer: 'Settings for gathering:',
  fetch: 'Settings for fetching from the Web:',
  broker: 'Settings for collecting and searching:',
  cache: 'Settings for caching:',
  http: 'Settings for listening:',
  wire: 'Settings for sessions between servers:',
  server: 'Settings for registering:',
  registry: 'Settings of a Registry:',
};

function groupOf({ key }: Setting): string {
  return groupTitles[key.split('.')[0] ?? ''] ?? 'Settings:';
}

/** Settings are read as text here; the configuration checks their values and knows where they came from. */
export function settingOption({ setting, name, whole }: SettingFlags, hidden: boolean): Options {
  return {
    hidden,
    describe: setting.describe,
    ...(whole !== name && { alias: whole }),
    ...(setting.kind === 'flag' ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
    group: groupOf(setting),
  };
}

/** A setting as help lists it: its short flag and the first sentence of its description. */
export function shownOption({ setting, name }: SettingFlags): Options {
  const { describe } = setting;
  const [sentence = describe] = describe.split(/; |, so that |\.$/, 1);
  if (setting.kind === 'choice')
    return {
      describe: `${sentence.split(':', 1)[0]} (${setting.choices.join(', ')})`,
      group: groupOf(setting),
    };
  const isOn = setting.kind === 'flag' && setting.default;
  return { describe: isOn ? `${sentence}; --no-${name} turns it off` : sentence, group: groupOf(setting) };
}

export function givenSettings(
  flags: readonly SettingFlags[],
  parsed: Readonly<Record<string, unknown>>,
): Map<string, FlagValue> {
  const given = new Map<string, FlagValue>();
  for (const { setting, name } of flags) {
    const value = parsed[name];
    if (value === undefined) continue;
    const values = (Array.isArray(value) ? value : [value]).map(String);
    // The last of a repeated flag counts, unless the setting is a list.
    const raw = setting.kind === 'list' ? values : (values.at(-1) ?? '');
    given.set(setting.key, { flag: `--${name}`, raw });
  }
  return given;
}

/** Takes an option's value that cannot be used: a sentence, and what to write instead. */
export type Refuse = (said: string, cure: string) => void;

/** An option of a verb as yargs has it. */
export function verbOption(name: string, option: VerbOption, refuse: Refuse): Options {
  const { describe, alias, required } = option;
  // The last of a repeated option counts.
  const last = (value: unknown) => (Array.isArray(value) ? value.at(-1) : value);
  const wrong = (said: string, cure: string) => {
    refuse(said, cure);
    return new Error(said);
  };
  const common: Options = {
    describe,
    group: 'Main options:',
    ...(alias !== undefined && { alias }),
    ...(required && { demandOption: true }),
  };
  switch (option.kind) {
    case 'flag':
      return { ...common, type: 'boolean', ...(option.default !== undefined && { default: option.default }) };
    case 'list':
      return { ...common, type: 'string', requiresArg: true, coerce: (value: unknown) => [value].flat() };
    case 'count':
    case 'port':
      return {
        ...common,
        // Without a type the text comes as it was written: the parser would read an empty one as 0.
        requiresArg: true,
        coerce: (value: unknown) => {
          if (option.kind === 'port') {
            const port = wholeNumber(last(value), [0, highestPort]);
            if (port !== null) return port;
            throw wrong(
              `--${name} takes a port, a whole number from 0 to ${highestPort}`,
              `--${name} 0 for any free port`,
            );
          }
          const [min, max] = option.range ?? [0, Number.MAX_SAFE_INTEGER];
          const number = wholeNumber(last(value), [min, max]);
          if (number !== null) return number;
          const upTo = option.range === undefined ? '' : ` to ${max}`;
          throw wrong(`--${name} takes a whole number from ${min}${upTo}`, `--${name} 10`);
        },
        ...(option.default !== undefined && { default: option.default }),
      };
    case 'text':
      return {
        ...common,
        type: 'string',
        requiresArg: true,
        coerce: (value: unknown) => {
          // An unset variable of the shell would otherwise name the current folder.
          if (last(value) === '') throw wrong(`--${name} is empty`, `give --${name} a value, or omit it`);
          const { choices } = option;
          const text: unknown = last(value);
          if (choices !== undefined && text !== undefined && !choices.includes(String(text)))
            throw wrong(
              `--${name} is one of ${choices.join(', ')}, not ${JSON.stringify(String(text).slice(0, 40))}`,
              `--${name} ${choices[0]}`,
            );
          return text;
        },
        ...(option.choices !== undefined && { choices: option.choices }),
        ...(option.default !== undefined && { default: option.default }),
      };
  }
}

const highestPort = 65_535;

/** The number, undefined when none was given, null when it is no whole number of the range. */
function wholeNumber(
  given: unknown,
  [min, max]: readonly [min: number, max: number],
): number | undefined | null {
  if (given === undefined) return undefined;
  const number = /^\d{1,16}$/.test(String(given)) ? Number(given) : Number.NaN;
  return number >= min && number <= max ? number : null;
}
