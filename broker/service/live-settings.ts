import { failure, type Setting } from '../../kernel/index.ts';
import { type Database, within } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { brokerFault } from '../events.ts';

export type LiveValue = number | string | readonly string[];

/** A setting with its effective value and the origin of the value. */
export interface LiveSetting {
  readonly key: string;
  readonly kind: 'duration' | 'choice' | 'list';
  readonly describe: string;
  /** Seconds for a duration. */
  readonly value: LiveValue;
  /** `set here`, or the origin in the configuration: `garner.yaml:3`, `default`. */
  readonly from: string;
  /** The value that applies when it is not set here. */
  readonly base: LiveValue;
}

/** The value that a live setting has in the configuration. */
export interface LiveBase {
  readonly setting: Setting;
  readonly value: LiveValue;
  readonly from: string;
}

/** Max duration that can be set: ten years, in seconds. */
const maxSeconds = 10 * 365 * 86_400;

/** Min durations in seconds. With 0, a loop would never pause, or every object would expire at once. */
const minSeconds: Readonly<Record<string, number>> = {
  'broker.interval': 1,
  'broker.time-to-live': 60,
  'broker.cleaning': 1,
};

/** Max entries of a list. */
const maxEntries = 64;

/** Settings that can be changed while the Broker serves. They override flags, environment and file. */
export class LiveSettings {
  readonly #rows: Database;
  readonly #base: ReadonlyMap<string, LiveBase>;
  readonly #own = new Map<string, LiveValue>();
  readonly #watchers = new Set<(key: string) => void>();
  #revision = 0;

  private constructor(database: Database, base: readonly LiveBase[]) {
    this.#rows = within(database, 'live-setting');
    this.#base = new Map(base.map((one) => [one.setting.key, one]));
  }

  static async open(database: Database, base: readonly LiveBase[]): Promise<LiveSettings> {
    const settings = new LiveSettings(database, base);
    for await (const [key, value] of settings.#rows.entries()) {
      const name = Buffer.from(key).toString();
      // A later version stored it.
      if (!settings.#base.has(name)) continue;
      try {
        settings.#own.set(name, settings.#judged(name, JSON.parse(Buffer.from(value).toString())));
      } catch (error) {
        // An older version may have allowed this value. The value of the configuration applies.
        brokerFault.publish({ where: `reading the value of ${name}`, error });
      }
    }
    return settings;
  }

  /** Rises with every change. */
  get revision(): number {
    return this.#revision;
  }

  get entries(): readonly LiveSetting[] {
    return [...this.#base.keys()].map((key) => this.entry(key));
  }

  /** Throws BROKER_LIVE_SETTING. */
  entry(key: string): LiveSetting {
    const { setting, value: base, from } = this.#known(key);
    const own = this.#own.get(key);
    const { kind, describe } = setting as Setting & { readonly kind: LiveSetting['kind'] };
    return { key, kind, describe, value: own ?? base, from: own === undefined ? from : 'set here', base };
  }

  /** A duration in seconds. */
  seconds(key: string): number {
    return Number(this.entry(key).value);
  }

  /** Change a setting; null restores the value of the configuration. Throws BROKER_LIVE_SETTING. */
  async set(key: string, value: unknown): Promise<LiveSetting> {
    if (value === null) {
      this.#known(key);
      await this.#rows.batch([{ type: 'del', key: Buffer.from(key) }], { sync: true });
      this.#own.delete(key);
    } else {
      const judged = this.#judged(key, value);
      const row = { key: Buffer.from(key), value: Buffer.from(JSON.stringify(judged)) };
      await this.#rows.batch([{ type: 'put', ...row }], { sync: true });
      this.#own.set(key, judged);
    }
    this.#revision++;
    for (const watcher of this.#watchers) watcher(key);
    return this.entry(key);
  }

  /** Call `watcher` with the key of each changed setting, until the returned function is called. */
  onChange(watcher: (key: string) => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  #known(key: string): LiveBase {
    const base = this.#base.get(key);
    if (base === undefined)
      throw failure(brokerErrors.BROKER_LIVE_SETTING, {
        key,
        problem: 'cannot be set while the Broker serves',
      });
    return base;
  }

  #judged(key: string, value: unknown): LiveValue {
    const { setting } = this.#known(key);
    const bad = (problem: string) => failure(brokerErrors.BROKER_LIVE_SETTING, { key, problem });
    if (setting.kind === 'choice') {
      if (typeof value === 'string' && setting.choices.includes(value)) return value;
      throw bad(`must be one of ${setting.choices.join(', ')}`);
    }
    if (setting.kind === 'list') {
      const isList = Array.isArray(value) && value.length <= maxEntries;
      if (isList && value.every((one) => typeof one === 'string' && one.length <= 64))
        return value as string[];
      throw bad(`must be a list of at most ${maxEntries} short texts`);
    }
    const min = minSeconds[key] ?? 0;
    const isTime = typeof value === 'number' && Number.isFinite(value);
    if (isTime && value >= min && value <= maxSeconds) return value;
    throw bad(`must be a number of seconds from ${min} to ${maxSeconds}`);
  }
}
