/**
 * How a report names what the most URLs of a run left out; the same words for folders and web sites. `setting`: where
 * the limit stands, a setting or an option of the root.
 */
export function urlsRule(maxUrls: number, setting = 'gatherer.max-urls'): string {
  return `no more than ${maxUrls} URLs (${setting})`;
}

/** How a report names what lies too deep: links from the root of a web site, steps down from a folder. */
export function depthRule(maxDepth: number, setting = 'gatherer.max-depth'): string {
  return `no more than ${maxDepth} steps from the root (${setting})`;
}
