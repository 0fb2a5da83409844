/** A document's directives about indexing it and following its links. */
export interface RobotsDirectives {
  readonly index: boolean;
  readonly follow: boolean;
}

/** The name robots directives may call this Gatherer by. */
export const robotName = 'garner';

/**
 * Robots directives of meta elements and X-Robots-Tag, of which each line is a header; the strictest word wins, unknown
 * ones are ignored. `now`, in milliseconds since 1970, ends a page that is `unavailable_after` an earlier date.
 */
export function robotsDirectives(metas: readonly string[], header = '', now = 0): RobotsDirectives {
  const words = metas.flatMap((content) => wordsOf(content.toLowerCase().slice(0, 4096), now));
  for (const line of header.toLowerCase().slice(0, 4096).split('\n')) {
    let addressed = true;
    // A comma may belong to a date.
    for (const part of line.split(/,(?!\s*\d)/)) {
      // `unavailable_after: date` and `max-snippet: n` are not robots' names.
      const named = /^\s*([\w.*-]+)\s*:\s*(.*)$/s.exec(part);
      const directive = named !== null && /^(?:unavailable_after|max-[a-z]+-?[a-z]*)$/.test(named[1] ?? '');
      if (named !== null && !directive) addressed = named[1] === robotName || named[1] === '*';
      if (addressed) words.push(...wordsOf(named === null || directive ? part : (named[2] ?? ''), now));
    }
  }
  const none = words.includes('none');
  return { index: !none && !words.includes('noindex'), follow: !none && !words.includes('nofollow') };
}

/** The words of a list of directives; a date that has passed is `noindex`. */
function wordsOf(list: string, now: number): string[] {
  const after = /unavailable_after\s*:\s*((?:[a-z]+,\s*)?[^,;]+)/.exec(list)?.[1] ?? '';
  const expired =
    Date.parse(after.replace(/^[a-z]+,\s*/, '').replaceAll(/(?<=\w)-(?=[a-z])|(?<=[a-z])-/g, ' ')) < now;
  return [...list.split(/[\s,;]+/, 64), ...(expired ? ['noindex'] : [])];
}
