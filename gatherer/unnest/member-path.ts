const maxPathLength = 4096;

/**
 * A member's name made safe: relative, with forward slashes, without empty or `.` steps; or what is wrong with it.
 * A name that climbs, or that begins at a root, is refused rather than repaired: two spellings of one name must
 * not meet.
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

/** A name as a message may show it. */
export function shownName(name: string): string {
  return wellFormed(name.slice(0, 200));
}

function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}
