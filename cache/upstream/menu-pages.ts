import { type FtpEntry, ftpName, ftpSegment, type GopherMenu, gopherUrl } from '../../fetch/index.ts';
import { escapeHtml } from '../../http/index.ts';

// A page of more lines is for no reader.
const maxLines = 10_000;

/** A folder of an FTP server as a page of links. `url` is the folder's, with a slash at its end. */
export function folderPage(url: string, entries: readonly FtpEntry[]): string {
  const lines = entries.slice(0, maxLines).map(({ name, kind, size, listed }) => {
    const segment = ftpSegment(name) + (kind === 'folder' ? '/' : '');
    const shown = escapeHtml(ftpName(name) + (kind === 'folder' ? '/' : ''));
    // A relative link: ./ keeps a colon in a name from being read as a scheme.
    return `${escapeHtml(listed)} ${kind === 'file' ? size : '-'} <a href="./${escapeHtml(segment)}">${shown}</a>`;
  });
  const up = /^ftp:\/\/[^/]+\/$/.test(url) ? [] : ['<a href="../">../</a>'];
  return page(url, [...up, ...lines]);
}

/** A Gopher menu as a page of links; what is only to be read stands there as text. */
export function menuPage(url: string, menu: GopherMenu): string {
  const lines = menu.items.slice(0, maxLines).map((item) => {
    const label = escapeHtml(ftpName(item.label));
    const target = item.type === 'i' || item.type === '3' ? undefined : gopherUrl(item);
    return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`;
  });
  return page(url, lines);
}

function page(url: string, lines: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(url)}</title>
<h1>${escapeHtml(url)}</h1>
<pre>
${lines.join('\n')}
</pre>
</html>
`;
}
