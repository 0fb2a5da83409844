const maxPathLength = 4096;

/**
 * A member's name made safe: relative, with forward slashes, without empty or `.` steps; or its fault. A climbing or
 * absolute name is refused, not repaired: two spellings must not become one name.
 */
export function memberPath(name: string): { readonly path: string } | { readonly fault: string } {
  if (name.length > maxPathLength) return { fault: `a name of more than ${maxPathLength} characters` };
  if (name.includes('\0')) return { fault: 'a name with a zero byte' };
  const slashed = name.replaceAll('\\', '/');
  if (slashed.startsWith('/') || /^[a-z]:/i.test(slashed)) return { fault: 'an absolute name' };
  const steps = slashed.split('/').filter((step) => step !== '' && step !== '.');
  if (steps.includes('..')) return { fault: 'a name that climbs out of the archive' };
  if (steps.length === 0) return { fault: 'a name without letters' };
  return { path: wellFormed(steps.join('/')) };
}

/** A name for messages. */
export function shownName(name: string): string {
  return wellFormed(name.slice(0, 200));
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}

const endings: readonly (readonly [RegExp, string])[] = [
  [/\.(?:tgz|taz|tbz2?|tb2|tz2|txz|tlz|tzst)$/i, '.tar'],
  [/\.svgz$/i, '.svg'],
  [/\.cpgz$/i, '.cpio'],
  [/\.(?:gz|z|bz2?|xz|lz|lzma|zst|zstd|uu|uue|hqx|b64)$/i, ''],
];

/** The name of a wrapper's only document: `notes.txt.gz` gives `notes.txt`, `book.tgz` gives `book.tar`. */
export function contentName(wrapper: string): string {
  const last = wrapper.slice(wrapper.lastIndexOf('/') + 1);
  for (const [ending, replacement] of endings) {
    const name = last.replace(ending, replacement);
    if (name !== last) return name === '' || name === replacement ? last : name;
  }
  return last;
}
