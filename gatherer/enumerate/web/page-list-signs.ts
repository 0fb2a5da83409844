import type { DocumentInput } from '../../../readers/document/index.ts';
import { listFiles } from './page-list.ts';

// Only text from the generators' own templates, and only within tags: text about them has its angle brackets escaped.
const sphinxScripts = ['documentation_options.js', 'doctools.js', 'searchtools.js'];
const sphinxScript = /^(.*\/)_static\/(?:documentation_options|doctools|searchtools)\.js$/;
const mkdocsSigns = ['content="mkdocs-', 'search/main.js', 'MkDocs version :'];
const mkdocsBases = ['"base":', 'base_url ='];

/** A sign may occur in the text of a page before its tag; max places that are checked. */
const maxPlaces = 8;
const tagBytes = 1024;
const source = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;

function* placesOf(bytes: Buffer, sign: string): Generator<number> {
  let at = bytes.indexOf(sign);
  for (let place = 0; at >= 0 && place < maxPlaces; place += 1) {
    yield at;
    at = bytes.indexOf(sign, at + sign.length);
  }
}

/** The `src` of the script tag around `at`, absolute. */
function scriptAround(bytes: Buffer, at: number, page: string): URL | undefined {
  const before = bytes.subarray(Math.max(0, at - tagBytes), at).toString();
  const start = before.toLowerCase().lastIndexOf('<script');
  if (start < 0) return undefined;
  const tag = before.slice(start) + bytes.subarray(at, at + tagBytes).toString();
  const [, double, single, bare] = source.exec(tag.split('>', 1)[0] as string) ?? [];
  return resolved(double ?? single ?? bare, page);
}

function resolved(link: string | undefined, page: string): URL | undefined {
  return link !== undefined && URL.canParse(link, page) ? new URL(link, page) : undefined;
}

function sphinxRoot(bytes: Buffer, page: string): string | undefined {
  for (const sign of sphinxScripts)
    for (const at of placesOf(bytes, sign)) {
      const script = scriptAround(bytes, at, page);
      const folder = script && sphinxScript.exec(script.pathname)?.[1];
      if (script && folder !== undefined) return script.origin + folder;
    }
  return undefined;
}

function mkdocsRoot(bytes: Buffer, page: string): string | undefined {
  if (!mkdocsSigns.some((sign) => bytes.includes(sign))) return undefined;
  for (const sign of mkdocsBases)
    for (const at of placesOf(bytes, sign)) {
      const after = bytes.subarray(at + sign.length, at + sign.length + tagBytes).toString();
      const base = /^\s*"([^"\\?#]*)"/.exec(after)?.[1];
      const root = base === undefined ? undefined : resolved(`${base}/`, page);
      if (root) return root.href;
    }
  return undefined;
}

/** The page lists that this HTML page's generator (Sphinx, MkDocs) writes, by text in every page. */
export function pageListsOf({ url, bytes, contentType }: DocumentInput): string[] {
  if (contentType !== undefined && !/html/i.test(contentType)) return [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const sphinx = sphinxRoot(buffer, url);
  if (sphinx !== undefined) return [sphinx + listFiles.sphinx];
  const mkdocs = mkdocsRoot(buffer, url);
  return mkdocs === undefined ? [] : [mkdocs + listFiles.mkdocs];
}
