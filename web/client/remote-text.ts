import { cutAtWord, graphemeStart } from './cut-text.ts';

// Control characters, and the marks that turn the direction of text around so that one name reads as another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const unprintable = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Unprintable characters become blanks one for one, so that offsets into the text still hold. */
export function blanked(text: string): string {
  return text.replace(unprintable, ' ');
}

/** A string from elsewhere made fit to show on one line: no control characters, at most `limit` UTF-16 units. */
export function shown(text: string, limit = 300): string {
  return cutAtWord(blanked(text).trim(), limit);
}

const linkable = new Set(['http:', 'https:', 'ftp:']);

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** The address a link may lead to, or undefined: only http, https and ftp, and no `user@` that hides the host. */
export function safeHref(url: string): string | undefined {
  const target = parsed(url);
  if (!target || !linkable.has(target.protocol) || target.username || target.password) return undefined;
  return target.href;
}

/** A link led through an Object Cache: its address with the encoded URL behind it. A cache that is no address is none. */
export function throughCache(href: string | undefined, cache: string): string | undefined {
  if (href === undefined || cache === '' || safeHref(cache) === undefined) return href;
  return `${cache}${encodeURIComponent(href)}`;
}

/** A text in at most `limit` units that keeps both of its ends. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = limit - 1;
  const end = graphemeStart(text, Math.ceil(room * 0.6));
  const rest = graphemeStart(text, text.length - (room - Math.ceil(room * 0.6)));
  return `${text.slice(0, end)}…${text.slice(rest)}`;
}

// An address in one line of a phone or a bit more.
const maxTrail = 72;
const maxCrumb = 32;

/** Where an object comes from, for people: the site's name, then its path. Long ones keep both ends. */
export function crumbs(url: string, siteName: string): string[] {
  const target = parsed(url);
  const site = shown(parsed(siteName)?.host || siteName, 60);
  // `mailto:` and the like have no path to walk; a file has one and no host.
  if (!target?.host && target?.protocol !== 'file:') return [site || shown(url, 80)];
  const path = target.pathname.split('/').filter((segment) => segment !== '');
  if (/^index\.\w{2,5}$/.test(path.at(-1) ?? '')) path.pop();
  if (target.search) path.push(`${path.pop() ?? ''}${target.search}`);
  const segments = path.map((segment) => shortened(blanked(decoded(segment)).trim(), maxCrumb));
  const first = site || shown(target.host, 60);
  let kept = segments.length > 4 ? [segments[0] ?? '', '…', ...segments.slice(-2)] : segments;
  const isLong = () => [first, ...kept].join(' › ').length > maxTrail;
  if (isLong() && kept.length > 2) kept = ['…', ...kept.slice(-2)];
  if (isLong() && kept.length > 2) kept = ['…', ...kept.slice(-1)];
  return [first, ...kept].filter((crumb) => crumb !== '');
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
