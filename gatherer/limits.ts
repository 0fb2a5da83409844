/** How a report names what the most URLs of a run left out; the same words for folders and web sites. */
export function urlsRule(maxUrls: number): string {
  return `no more than ${maxUrls} URLs (gatherer.max-urls)`;
}

/** How a report names what lies too deep: links from the root of a web site, steps down from a folder. */
export function depthRule(maxDepth: number): string {
  return `no more than ${maxDepth} steps from the root (gatherer.max-depth)`;
}
