const endings: readonly (readonly [RegExp, string])[] = [
  [/\.(?:tgz|taz|tbz2?|tb2|tz2|txz|tlz|tzst)$/i, '.tar'],
  [/\.svgz$/i, '.svg'],
  [/\.cpgz$/i, '.cpio'],
  [/\.(?:gz|z|bz2?|xz|lz|lzma|zst|zstd|uu|uue|hqx|b64)$/i, ''],
];

/**
 * What the one document in a wrapper is called: the wrapper's name without the ending that the wrapping gave it
 * (`notes.txt.gz`, `book.tgz` as `book.tar`). A name without such an ending is kept.
 */
export function contentName(wrapper: string): string {
  const last = wrapper.slice(wrapper.lastIndexOf('/') + 1);
  for (const [ending, replacement] of endings) {
    const name = last.replace(ending, replacement);
    if (name !== last) return name === '' || name === replacement ? last : name;
  }
  return last;
}
