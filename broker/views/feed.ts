import type { ViewChange } from './view-changes.ts';
import type { ViewStatus } from './views.ts';

/** Max entries of a feed. */
export const feedEntries = 50;

// Characters that XML 1.0 does not allow anywhere, lone surrogates included.
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string) =>
  text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

const date = (seconds: number) => new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');

/** Whether a reader may follow an address: not one that a browser would run. */
const followed = (url: string) => /^(?:https?|ftp|gopher):\/\//i.test(url);

const entryId = ({ oid }: Pick<ViewChange, 'oid'>) => `urn:garner:object:${oid}`;

function entry(change: ViewChange): string {
  // RFC 6721: the object left the view.
  if (change.kind === 'delete')
    return `<at:deleted-entry ref="${escaped(entryId(change))}" when="${date(change.time)}"/>`;
  const { title = '', url = '', description, type, time } = change;
  return [
    '<entry>',
    `<id>${escaped(entryId(change))}</id>`,
    `<title>${escaped(title)}</title>`,
    `<updated>${date(time)}</updated>`,
    ...(followed(url) ? [`<link href="${escaped(url)}"/>`] : []),
    ...(type === undefined ? [] : [`<category term="${escaped(type)}"/>`]),
    `<summary>${escaped(description ?? url)}</summary>`,
    '</entry>',
  ].join('');
}

/** The last changes of a view, newest first, as an Atom feed (RFC 4287), with its deletions (RFC 6721). */
export function atomFeed(view: ViewStatus, changes: readonly ViewChange[]): string {
  const { name, description, query, epoch, createdAt } = view;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:at="http://purl.org/atompub/tombstones/1.0">',
    `<id>urn:garner:view:${escaped(epoch)}</id>`,
    `<title>${escaped(name)}</title>`,
    `<subtitle>${escaped(description ?? query)}</subtitle>`,
    `<updated>${date(changes[0]?.time ?? createdAt)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(`${name}.atom`)}"/>`,
    '<author><name>Garner</name></author>',
    ...changes.map(entry),
    '</feed>\n',
  ].join('\n');
}
