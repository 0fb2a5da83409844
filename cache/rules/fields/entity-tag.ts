/*
 * Entity tags (RFC 9110 8.8.3). Many servers send them without quotes; such a tag is its own opaque text, so that it is
 * sent back as it came and equals only itself.
 */

/** The part that both comparisons look at: the tag without its mark of weakness. */
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

// A tag in quotes may hold commas and bytes above ASCII, but no escapes.
const listed = /(?:W\/)?"[^"]*"|[^\s,"]+/g;

/** The tags of an If-None-Match or If-Match, '*' among them when it is there. */
export function listedTags(value: string): readonly string[] {
  return value.match(listed) ?? [];
}

/** A message's entity tag when it can be sent back in a list; undefined without one, or with one that no list can hold. */
export function usableTag(value: string | undefined): string | undefined {
  if (value === undefined || value === '' || value === '*' || value.length > 1024) return undefined;
  const tags = listedTags(value);
  return tags.length === 1 && tags[0] === value ? value : undefined;
}
