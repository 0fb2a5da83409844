const seconds = new Map([
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
  ['w', 604_800],
]);

const bytes = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
  ['tb', 1e12],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['tib', 2 ** 40],
]);

const quantity = /^(\d{1,15}(?:\.\d{1,9})?) ?([a-z]*)$/i;

/** `10s`, `5m`, `2h`, `7d`, `4w`, `500ms` or `0` as seconds; undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = quantity.exec(text.trim()) ?? [];
  if (amount === undefined) return undefined;
  if (unit === '') return Number(amount) === 0 ? 0 : undefined;
  if (unit?.toLowerCase() === 'ms') return Number(amount) / 1000;
  const factor = seconds.get(unit?.toLowerCase() ?? '');
  return factor === undefined ? undefined : Number(amount) * factor;
}

/** `64KiB`, `10MB`, `512` or `1.5GiB` as whole bytes; undefined when it is none of these. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = quantity.exec(text.trim()) ?? [];
  if (amount === undefined) return undefined;
  const factor = bytes.get(unit?.toLowerCase() ?? '');
  const size = factor === undefined ? Number.NaN : Number(amount) * factor;
  return Number.isSafeInteger(size) ? size : undefined;
}

/** Seconds as people write them, in the largest unit that divides them: 3600 is `1h`. */
export function formatDuration(value: number): string {
  if (value === 0) return '0s';
  for (const [unit, factor] of [...seconds].reverse())
    if (Number.isInteger(value / factor)) return `${value / factor}${unit}`;
  return value < 1 ? `${Number((value * 1000).toFixed(6))}ms` : `${value}s`;
}

/** Bytes as people write them, in the largest binary unit that divides them: 65536 is `64KiB`. */
export function formatSize(value: number): string {
  if (value === 0) return '0B';
  for (const [unit, factor] of [
    ['TiB', 2 ** 40],
    ['GiB', 2 ** 30],
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ] as const)
    if (Number.isInteger(value / factor)) return `${value / factor}${unit}`;
  return `${value}B`;
}
