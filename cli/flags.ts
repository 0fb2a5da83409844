import type { Options } from 'yargs';
import type { Setting } from '../kernel/index.ts';
import type { FlagValue } from './config.ts';
import type { VerbOption } from './verb.ts';

/** A setting's flags: the short one, when no other claims it, and the whole one, which always works. */
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

/** Settings are read as text here; the configuration judges their values and knows where they came from. */
export function settingOption({ setting, name, whole }: SettingFlags): Options {
  return {
    describe: setting.describe,
    ...(whole !== name && { alias: whole }),
    ...(setting.kind === 'flag' ? { type: 'boolean' } : { type: 'string', requiresArg: true }),
    group: 'Settings:',
  };
}

/** The settings a person gave as flags, by key. */
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

/** An option of a verb as yargs has it. */
export function verbOption(name: string, option: VerbOption): Options {
  const { describe, alias, required } = option;
  const common: Options = {
    describe,
    ...(alias !== undefined && { alias }),
    ...(required && { demandOption: true }),
  };
  switch (option.kind) {
    case 'flag':
      return { ...common, type: 'boolean', ...(option.default !== undefined && { default: option.default }) };
    case 'list':
      return { ...common, type: 'string', requiresArg: true, coerce: (value: unknown) => [value].flat() };
    case 'count':
      return {
        ...common,
        type: 'number',
        requiresArg: true,
        coerce: (value: unknown) => wholeNumber(name, value),
        ...(option.default !== undefined && { default: option.default }),
      };
    case 'text':
      return {
        ...common,
        type: 'string',
        requiresArg: true,
        ...(option.choices !== undefined && { choices: option.choices }),
        ...(option.default !== undefined && { default: option.default }),
      };
  }
}

function wholeNumber(name: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number`);
  return number;
}
