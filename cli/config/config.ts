import { editDistance, failure, formatDuration, formatSize, type Setting } from '../../kernel/index.ts';
import { Mistakes } from './config-errors.ts';
import { type ConfigFile, type FileValue, fileValues } from './config-file.ts';
import { cliErrors } from './errors.ts';
import { cureFor, type SettingValue, settingSchema } from './settings-schema.ts';

/** A setting given as a flag: the flag as in help, and its value or values. */
export interface FlagValue {
  /** `--delay` */
  readonly flag: string;
  readonly raw: string | readonly string[];
}

export interface ConfigInput {
  readonly argv?: ReadonlyMap<string, FlagValue>;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly file?: ConfigFile | undefined;
  /** Absolute; the base of paths in the configuration: the folder of its file, where there is one. */
  readonly folder?: string;
  /** Takes the mistakes, whose settings then have their defaults; without it they are thrown. */
  readonly mistakes?: Mistakes;
}

export interface ConfigEntry {
  readonly key: string;
  readonly value: SettingValue;
  /** As people write it; a secret is not shown. */
  readonly shown: string;
  /** `flag --delay`, `environment GARNER_GATHERER_DELAY`, `file garner.yaml:12` or `default`. */
  readonly from: string;
  readonly describe: string;
}

/** The environment variable of a setting: `http.max-body` is GARNER_HTTP_MAX_BODY. */
export function variableOf(key: string): string {
  return `GARNER_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

export interface PlacedEntry extends ConfigEntry {
  readonly kind: Setting['kind'];
  /** The place in the file of each table in a list of tables. */
  readonly each?: readonly string[];
}

/** Every effective value, by key and kind. A getter of the wrong kind or an unknown key is a TypeError. */
export class EffectiveConfig {
  /** Absolute; the base of paths in the configuration. */
  readonly folder: string;
  /** The name of the file that was read; undefined where none was. */
  readonly file: string | undefined;
  readonly #entries: ReadonlyMap<string, PlacedEntry>;

  constructor(entries: readonly PlacedEntry[], folder: string, file?: string) {
    this.folder = folder;
    this.file = file;
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]));
  }

  text(key: string): string {
    return this.#value(key, ['text', 'choice']) as string;
  }

  flag(key: string): boolean {
    return this.#value(key, ['flag']) as boolean;
  }

  list(key: string): readonly string[] {
    return this.#value(key, ['list']) as readonly string[];
  }

  records(key: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#value(key, ['records']) as readonly Readonly<Record<string, unknown>>[];
  }

  count(key: string): number {
    return this.#value(key, ['count']) as number;
  }

  seconds(key: string): number {
    return this.#value(key, ['duration']) as number;
  }

  bytes(key: string): number {
    return this.#value(key, ['size']) as number;
  }

  /** A count, a duration in seconds or a size in bytes. */
  number(key: string): number {
    return this.#value(key, ['count', 'duration', 'size']) as number;
  }

  isGiven(key: string): boolean {
    return this.#entry(key).from !== 'default';
  }

  /** The origin of a value, as in errors: `garner.yaml:12`, `--delay`, `environment GARNER_GATHERER_DELAY`. */
  origin(key: string): string {
    return placeOf(this.#entry(key).from);
  }

  /**
   * The place that an error is about: that of `key` (such as `gatherer.rules[1].set`), or else of the table that holds
   * one of these texts. Undefined when it is not in the configuration.
   */
  placeOf(key: string | undefined, texts: readonly string[]): string | undefined {
    const [, setting = '', index] = /^([\w.-]+)(?:\[(\d+)\])?/.exec(key ?? '') ?? [];
    const named = this.#entries.get(setting);
    if (named !== undefined && named.from !== 'default')
      return named.each?.[Number(index ?? -1)] ?? placeOf(named.from);
    for (const { each, value } of this.#entries.values()) {
      const at = (each === undefined ? [] : (value as readonly unknown[])).findIndex((table) =>
        texts.some((text) => holds(table, text)),
      );
      if (at >= 0) return each?.[at];
    }
    return undefined;
  }

  /** The same configuration with these values, whose origin is `from`. */
  replacing(values: ReadonlyMap<string, SettingValue>, from: string): EffectiveConfig {
    const entries = [...this.#entries.values()].map(({ each, ...entry }): PlacedEntry => {
      const value = values.get(entry.key);
      if (value !== undefined) return { ...entry, value, shown: String(value), from };
      return each === undefined ? entry : { ...entry, each };
    });
    return new EffectiveConfig(entries, this.folder, this.file);
  }

  values(): Readonly<Record<string, SettingValue>> {
    return Object.fromEntries(this.entries().map(({ key, value }) => [key, value]));
  }

  /** The entries from which another process makes the same configuration. */
  placedEntries(): readonly PlacedEntry[] {
    return [...this.#entries.values()];
  }

  /** Everything, in the tables' order, for `garner config`. */
  entries(): readonly ConfigEntry[] {
    return [...this.#entries.values()].map(({ each: _, ...entry }) => entry);
  }

  #entry(key: string) {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new TypeError(`there is no setting ${key}`);
    return entry;
  }

  #value(key: string, kinds: readonly Setting['kind'][]): SettingValue {
    const { kind, value } = this.#entry(key);
    if (!kinds.includes(kind)) throw new TypeError(`setting ${key} is a ${kind}`);
    return value;
  }
}

/**
 * The effective value of every setting of these tables: flag before environment before file before default. Mistakes
 * are noted, or thrown: CLI_UNKNOWN_SETTING, CLI_BAD_SETTING or CLI_CONFIG_SYNTAX with place and cure, several of
 * them as CLI_MISTAKES. Two settings of one key are a TypeError. Of the environment only GARNER_ variables are read;
 * one that is nearly a setting is a mistake too.
 */
export function effectiveConfig(
  tables: readonly (readonly Setting[])[],
  { argv = new Map(), env = {}, file, folder = process.cwd(), mistakes: noted }: ConfigInput,
): EffectiveConfig {
  const settings = tables.flat();
  const mistakes = noted ?? new Mistakes();
  checkKeys(settings);
  checkVariables(settings, env, mistakes);
  const inFile = file === undefined ? new Map<string, FileValue>() : fileValues(settings, file, mistakes);
  const config = new EffectiveConfig(
    settings.map((setting) => {
      const { key, kind, describe } = setting;
      const { raw, from, each } = chosen(setting, argv, env, inFile);
      const written = inFile.get(key);
      // A value in the file is checked too when a flag or the environment overrides it.
      if (written !== undefined && !from.startsWith('file '))
        mistakes.attempt(() => read(setting, written.raw, `file ${written.at}`));
      const given = raw === undefined ? undefined : mistakes.attempt(() => read(setting, raw, from));
      const value = given ?? setting.default;
      const entry = { key, kind, describe, value, shown: show(setting, value), from };
      return each === undefined ? entry : { ...entry, each };
    }),
    folder,
    file?.name,
  );
  if (noted === undefined) mistakes.throwAny();
  return config;
}

function chosen(
  setting: Setting,
  argv: ReadonlyMap<string, FlagValue>,
  env: Readonly<Record<string, string | undefined>>,
  inFile: ReadonlyMap<string, FileValue>,
): { raw?: string | readonly string[]; from: string; each?: readonly string[] } {
  const given = argv.get(setting.key);
  if (given !== undefined) return { raw: given.raw, from: `flag ${given.flag}` };
  const variable = variableOf(setting.key);
  const text = env[variable];
  if (text !== undefined) {
    const raw = setting.kind === 'list' ? text.split(/[\s,]+/).filter((item) => item !== '') : text;
    return { raw, from: `environment ${variable}` };
  }
  const written = inFile.get(setting.key);
  if (written !== undefined) {
    const { raw, at, each } = written;
    return { raw, from: `file ${at}`, ...(each !== undefined && { each }) };
  }
  return { from: 'default' };
}

function read(setting: Setting, raw: string | readonly string[], from: string): SettingValue {
  const parsed = settingSchema(setting).safeParse(raw);
  if (parsed.success) return parsed.data;
  const shown = setting.secret ? 'has a value that' : `is ${JSON.stringify(raw).slice(0, 60)}, which`;
  throw failure(cliErrors.CLI_BAD_SETTING, {
    key: setting.key,
    at: placeOf(from),
    problem: `${shown} cannot be used`,
    cure: cureFor(setting),
  });
}

/** Whether a table of the configuration has a text as a value, at any depth that a rule or a root has. */
function holds(value: unknown, text: string, deepest = 8): boolean {
  if (typeof value !== 'object' || value === null) return value === text;
  return deepest > 0 && Object.values(value).some((own) => holds(own, text, deepest - 1));
}

function placeOf(from: string): string {
  return from.replace(/^(?:file|flag) /, '');
}

function show(setting: Setting, value: SettingValue): string {
  if (setting.secret) return (value as string | readonly string[]).length === 0 ? '' : '(not shown)';
  if (setting.kind === 'duration') return formatDuration(value as number);
  if (setting.kind === 'size')
    return value === 0 && setting.zero !== undefined ? `0 (${setting.zero})` : formatSize(value as number);
  if (setting.kind === 'records')
    return (value as readonly unknown[]).length === 0 ? '' : JSON.stringify(value);
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function checkKeys(settings: readonly Setting[]): void {
  const seen = new Set<string>();
  for (const { key } of settings) {
    const variable = variableOf(key);
    if (seen.has(variable)) throw new TypeError(`two settings are called ${key} or ${variable}`);
    seen.add(variable);
  }
}

function checkVariables(
  settings: readonly Setting[],
  env: Readonly<Record<string, string | undefined>>,
  mistakes: Mistakes,
): void {
  const known = new Map(settings.map(({ key }) => [variableOf(key), key]));
  for (const variable of Object.keys(env)) {
    if (!variable.startsWith('GARNER_') || known.has(variable) || variable.length > 80) continue;
    const isPort = /^GARNER_(?:(?:GATHERER|BROKER|CACHE|HTTP|SITE)_)?PORT$/.test(variable);
    // Only near misses: other programs may have variables of their own that begin like ours.
    const near = isPort ? undefined : [...known.keys()].find((name) => editDistance(variable, name) <= 2);
    if (isPort || near !== undefined)
      mistakes.note(failure(cliErrors.CLI_UNKNOWN_SETTING, { key: variable, at: 'environment', near }));
  }
}
