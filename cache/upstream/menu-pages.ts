import {
  type FtpEntry,
  ftpName,
  ftpSegment,
  type GopherMenu,
  type GopherPlace,
  gopherUrl,
} from '../../fetch/index.ts';
import { escapeHtml } from '../../http/index.ts';

// No reader needs a page of more lines.
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

/** A Gopher menu as a page of links; items without a target are text. A search's page begins with a form. */
export function menuPage(url: string, menu: GopherMenu, searched?: GopherPlace): string {
  const lines = menu.items.slice(0, maxLines).map((item) => {
    const label = escapeHtml(ftpName(item.label));
    const target = item.type === 'i' || item.type === '3' ? undefined : gopherUrl(item);
    return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`;
  });
  return page(url, lines, searched && searchForm(searched));
}

/** The query parameter of the search in a page's form. */
export const searchName = 'search';
const maxSearchLength = 255;

/** A form whose query is the search at a place of type 7. */
function searchForm(place: GopherPlace): string {
  const action = gopherUrl({ ...place, search: undefined }) ?? '';
  const words = Buffer.from(place.search ?? '', 'latin1').toString();
  return `<form action="${escapeHtml(action)}">
<input type="search" name="${searchName}" value="${escapeHtml(words)}" maxlength="${maxSearchLength}" aria-label="Search" autofocus>
<button>Search</button>
</form>
`;
}

function page(url: string, lines: readonly string[], form = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(url)}</title>
<h1>${escapeHtml(url)}</h1>
${form}<pre>
${lines.join('\n')}
</pre>
</html>
`;
}
