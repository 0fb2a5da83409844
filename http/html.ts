const escaped: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text escaped for HTML, between tags or within a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escaped[character] as string);
}

/** A page that a server has: an entry of the navigation that all its pages show. */
export interface SitePage {
  /** Relative to the pages, which are all at the top, or the address of another server. */
  readonly href: string;
  readonly name: string;
}

/** The navigation of a server's pages as HTML, the entry at `current` marked; empty without entries. */
export function navigationHtml(pages: readonly SitePage[], current?: string): string {
  if (pages.length === 0) return '';
  const entries = pages.map(({ href, name }) => {
    const here = href === current ? ' aria-current="page"' : '';
    return `<li><a href="${escapeHtml(href)}"${here}>${escapeHtml(name)}</a></li>`;
  });
  return `<nav aria-label="Pages" class="site-pages"><ul>${entries.join('')}</ul></nav>`;
}
