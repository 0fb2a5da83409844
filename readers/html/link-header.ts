import { resolvedUrl } from '../text/index.ts';
import { followedRelations } from './html-elements.ts';

/** What an HTTP `Link` header says of a document (RFC 8288); addresses are absolute. */
export interface LinkHeader {
  readonly canonical: string | undefined;
  readonly alternates: readonly { readonly language: string; readonly url: string }[];
  /** Documents that may be followed. */
  readonly links: readonly string[];
}

const maxHeader = 16 * 1024;
const maxLinks = 200;

/** Reads a `Link` header; `base` is the URL of the document. */
export function readLinkHeader(header: string, base: string): LinkHeader {
  let canonical: string | undefined;
  const alternates: { language: string; url: string }[] = [];
  const links = new Set<string>();
  const parts = /<([^<>]{1,8192})>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)/g;
  for (const [, target = '', written = ''] of header.slice(0, maxHeader).matchAll(parts)) {
    const url = resolvedUrl(target.trim(), base);
    if (url === undefined || !/^https?:/.test(url) || links.size >= maxLinks) continue;
    const parameter = (name: string) =>
      new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|([^\\s",;]+))`, 'i').exec(written)?.slice(1).join('') ??
      '';
    // A link of another document.
    if (parameter('anchor') !== '') continue;
    const relations = parameter('rel').toLowerCase().split(/\s+/);
    if (relations.includes('canonical')) canonical ??= url;
    const language = parameter('hreflang');
    if (relations.includes('alternate') && language !== '') alternates.push({ language, url });
    if (!relations.includes('stylesheet') && relations.some((name) => followedRelations.has(name)))
      links.add(url);
  }
  return { canonical, alternates, links: [...links] };
}

/** The target of a `Refresh` header or of `meta http-equiv=refresh`, as written. */
export function refreshTarget(field: string | undefined): string | undefined {
  return /^\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(field?.slice(0, 4096) ?? '')?.[1]?.trim();
}
