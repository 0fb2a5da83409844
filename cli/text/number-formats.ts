/** `1,941` */
export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `9.8 kB` */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

/** `0.4 s` */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/** `12 s ago`, `5 min ago`, `3 h ago`, `2 days ago`; of seconds that have passed. */
export function ago(passed: number): string {
  const whole = Math.max(0, Math.round(passed));
  if (whole < 60) return `${whole} s ago`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ago`;
  if (whole < 86_400) return `${Math.floor(whole / 3600)} h ago`;
  return `${count(Math.floor(whole / 86_400), 'day')} ago`;
}

/** `1 page`, `2 pages` */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
