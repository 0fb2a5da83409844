import { failure } from '../../kernel/index.ts';
import { customiseErrors } from './errors.ts';

/** A table of names and values: one entry of a list in the configuration. */
export type ConfigRecord = Readonly<Record<string, unknown>>;

/** Reads one table of the configuration. Every fault in it is RULE_SETTING with its place and its cure. */
export class RecordReader {
  readonly #record: ConfigRecord;
  readonly #key: string;

  /** `key`: its place, such as `gatherer.rules[0]`; `names`: the allowed options. */
  constructor(record: ConfigRecord, key: string, names: readonly string[]) {
    this.#record = record;
    this.#key = key;
    for (const name of Object.keys(record))
      if (!names.includes(name))
        this.wrong(name, 'there is no such option', `the options are ${names.join(', ')}`);
  }

  wrong(name: string, why: string, cure: string): never {
    throw failure(customiseErrors.RULE_SETTING, { key: `${this.#key}.${name}`, why, cure });
  }

  has(name: string): boolean {
    return this.#record[name] !== undefined;
  }

  text(name: string): string {
    return this.optionalText(name) ?? this.wrong(name, 'it is missing', 'write a text');
  }

  optionalText(name: string): string | undefined {
    const value = this.#record[name];
    if (value === undefined) return undefined;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    return typeof value === 'string' && value !== ''
      ? value
      : this.wrong(name, 'it is no text', 'write a text');
  }

  texts(name: string): readonly string[] {
    const value = this.#record[name];
    const list = (Array.isArray(value) ? value : [value]) as unknown[];
    if (list.length === 0 || !list.every((text) => typeof text === 'string' && text !== ''))
      this.wrong(name, 'it is no list of texts', 'write one text or a list of texts');
    return list as string[];
  }

  seconds(name: string): number | undefined {
    const value = this.#record[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !(value > 0))
      this.wrong(name, 'it is no time', 'write a number of seconds');
    return value;
  }

  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined {
    const value = this.#record[name];
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    return found ?? this.wrong(name, 'it is none of the choices', `write ${choices.join(' or ')}`);
  }

  flag(name: string): boolean {
    const value = this.#record[name];
    if (value === undefined) return false;
    return typeof value === 'boolean' ? value : this.wrong(name, 'it is neither', 'write true or false');
  }

  /** A table inside this one. */
  table(name: string): ConfigRecord | undefined {
    const value = this.#record[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      this.wrong(name, 'it is no table', 'write names with values below it');
    return value as ConfigRecord;
  }
}
