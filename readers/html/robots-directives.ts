/** A document's directives about indexing it and following its links. */
export interface RobotsDirectives {
  readonly index: boolean;
  readonly follow: boolean;
}

/** The name robots directives may call this Gatherer by. */
export const robotName = 'garner';

/** Robots directives of meta elements and X-Robots-Tag; the strictest word wins, unknown ones are ignored. */
export function robotsDirectives(metas: readonly string[], header?: string): RobotsDirectives {
  const words = metas.flatMap((content) => content.toLowerCase().split(/[\s,;]+/, 64));
  let addressed = true;
  for (const part of (header ?? '').toLowerCase().slice(0, 4096).split(',')) {
    // `unavailable_after: date` and `max-snippet: n` are not robots' names.
    const named = /^\s*([\w.*-]+)\s*:\s*(.*)$/s.exec(part);
    const directive = named !== null && /^(?:unavailable_after|max-[a-z]+-?[a-z]*)$/.test(named[1] ?? '');
    if (named !== null && !directive) addressed = named[1] === robotName || named[1] === '*';
    if (addressed) words.push(...(named === null || directive ? part : (named[2] ?? '')).trim().split(/\s+/));
  }
  const none = words.includes('none');
  return { index: !none && !words.includes('noindex'), follow: !none && !words.includes('nofollow') };
}
