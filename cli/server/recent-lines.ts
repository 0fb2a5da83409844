import { pino } from 'pino';
import type { LiveSetting, RecentLine, RecentLog } from '../../broker/index.ts';
import { logEvents } from './logs.ts';

/** The maximum of stored lines, and of characters in each. */
const maxLines = 1000;
const maxLineLength = 4000;

/** The settings of the log that administration may change. */
interface LogSettings {
  entry(key: string): LiveSetting;
  onChange(watcher: (key: string) => void): () => void;
}

const levelNames = new Map(Object.entries(pino.levels.values).map(([name, value]) => [value, name]));

/** The newest lines of the log in memory, of the level and events in the settings. */
export class RecentLines implements RecentLog, Disposable {
  readonly #lines: (RecentLine & { readonly value: number })[] = [];
  readonly #stops: readonly (() => void)[];
  #events: readonly string[] = [];

  constructor(settings: LogSettings) {
    const log = pino({ base: null }, { write: (line: string) => this.#keep(line) });
    const follow = () => {
      log.level = String(settings.entry('broker.log-level').value);
      this.#events = settings.entry('broker.log-events').value as readonly string[];
    };
    follow();
    this.#stops = [logEvents(log), settings.onChange(follow)];
  }

  lines({ limit, level, event }: Parameters<RecentLog['lines']>[0]): readonly RecentLine[] {
    const min = level === undefined ? 0 : (pino.levels.values[level] ?? Number.POSITIVE_INFINITY);
    return this.#lines
      .filter((line) => line.value >= min && (event === undefined || line.event === event))
      .slice(-limit)
      .reverse()
      .map(({ value: _, ...line }) => line);
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
  }

  #keep(text: string): void {
    const { level, time, msg, ...data } = JSON.parse(text) as {
      readonly level: number;
      readonly time: number;
      readonly msg: string;
    };
    if (this.#events.length > 0 && !this.#events.includes(msg)) return;
    const kept = text.length <= maxLineLength ? data : { cut: text.slice(0, maxLineLength) };
    const line = { at: time, level: levelNames.get(level) ?? String(level), event: msg, data: kept };
    this.#lines.push({ ...line, value: level });
    if (this.#lines.length > maxLines) this.#lines.shift();
  }
}
