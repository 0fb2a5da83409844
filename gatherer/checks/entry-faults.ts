import { GarnerError } from '../../kernel/index.ts';
import type { ConfigRecord } from '../customise/index.ts';

/** Valid values that replace wrong values of required options. */
export type FallbackValues = Readonly<Record<string, unknown>>;

const maxFaults = 8;

/** Result of reading an entry of a table: every mistake found, and its value, which may include replaced options. */
export interface ReadEntry<Value> {
  readonly faults: readonly GarnerError[];
  readonly value: Value | undefined;
}

/** Read an entry and report all its faults, one wrong option after the other; `key` is its place. */
export function readEntry<Value>(
  record: ConfigRecord,
  key: string,
  fallbacks: FallbackValues,
  read: (record: ConfigRecord) => Value,
): ReadEntry<Value> {
  const faults: GarnerError[] = [];
  const mended = new Set<string>();
  let isMistyped = false;
  for (let entry = record; faults.length < maxFaults; ) {
    try {
      return { faults, value: read(entry) };
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      const option = optionOf(error, key, entry);
      if (option === undefined) return { faults: [...faults, error], value: undefined };
      if (mended.has(option)) return { faults, value: undefined };
      mended.add(option);
      const isAbsent = entry[option] === undefined;
      // A mistyped name is reported, not also its missing option.
      if (!isAbsent || !isMistyped) faults.push(error);
      if (!isAbsent && fallbacks[option] === undefined) isMistyped = true;
      entry = withOption(entry, option, fallbacks[option]);
    }
  }
  return { faults, value: undefined };
}

function withOption(entry: ConfigRecord, option: string, value: unknown): ConfigRecord {
  const rest = Object.entries(entry).filter(([name]) => name !== option);
  return Object.fromEntries(value === undefined ? rest : [...rest, [option, value]]);
}

/** The option that an error is about: named by its key, or found by the invalid text. */
function optionOf({ data }: GarnerError, key: string, entry: ConfigRecord): string | undefined {
  const { key: place, text, pattern } = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof place === 'string')
    return place.startsWith(`${key}.`) ? /^[^.[]+/.exec(place.slice(key.length + 1))?.[0] : undefined;
  const wrong = text ?? pattern;
  return typeof wrong === 'string'
    ? Object.keys(entry).find((name) => String(entry[name]) === wrong)
    : undefined;
}
