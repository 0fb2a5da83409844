/*
 * Entity tags (RFC 9110 8.8.3). Many servers send them without quotes. Such a tag is its own opaque text: it is sent
 * back as it came and equals only itself.
 */

/** The part that both comparisons use: the tag without its weakness mark. */
export function opaqueTag(tag: string): string {
  return isWeakTag(tag) ? tag.slice(2) : tag;
}

export function isWeakTag(tag: string): boolean {
  return tag.startsWith('W/');
}

/** RFC 9110 8.8.3.2: equal and neither of them weak. */
export function strongMatch(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && one === other && !isWeakTag(one);
}

/** RFC 9110 8.8.3.2: equal, weak or not. */
export function weakMatch(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && opaqueTag(one) === opaqueTag(other);
}

// A quoted tag may contain commas and bytes above ASCII, but no escapes.
const listed = /(?:W\/)?"[^"]*"|[^\s,"]+/g;

/** The tags of an If-None-Match or If-Match, including '*'. */
export function listedTags(value: string): readonly string[] {
  return value.match(listed) ?? [];
}

/** A message's entity tag when a list can hold it; undefined without a tag or when no list can hold it. */
export function usableTag(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || value === '*' || value.length > 1024) return undefined;
  const tags = listedTags(value);
  return tags.length === 1 && tags[0] === value ? value : undefined;
}
