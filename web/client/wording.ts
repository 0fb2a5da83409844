const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `1 object`, `1,941 objects`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** How long ago in words a reader needs no arithmetic for; both times in seconds since 1970. */
export function age(seconds: number, now: number): string {
  const passed = now - seconds;
  if (passed < 45) return 'just now';
  const minutes = Math.max(1, Math.round(passed / 60));
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.round(passed / 3600);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.round(passed / 86_400);
  if (days === 1) return 'yesterday';
  if (days < 31) return `${days} days ago`;
  return day(seconds);
}

/** `4 Mar 2026`, in UTC; empty for a moment no calendar has. */
export function day(seconds: number): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** ISO 8601 to the second for `<time datetime>`; undefined for a moment no calendar has. */
export function isoTime(seconds: number): string | undefined {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 19)}Z`;
}

/** `840 B`, `3.4 kB`, `27 kB`, `1.2 MB`; steps of 1000. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let value = bytes;
  for (const unit of ['kB', 'MB', 'GB']) {
    value /= 1000;
    if (value < 9.95) return `${value.toFixed(1)} ${unit}`;
    if (value < 999.5) return `${Math.round(value)} ${unit}`;
  }
  return `${Math.round(value / 1000).toLocaleString('en')} TB`;
}

/** `under 1 ms`, `12 ms`, `1.3 s`. */
export function duration(ms: number): string {
  if (ms < 1) return 'under 1 ms';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** A remark as a sentence of its own: a capital first, a full stop last. */
export function sentence(remark: string): string {
  const text = remark.trim();
  const [first = ''] = text;
  return `${first.toUpperCase()}${text.slice(first.length)}${/[.!?…]$/.test(text) ? '' : '.'}`;
}
