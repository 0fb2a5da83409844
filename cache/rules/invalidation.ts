import type { Fields } from './fields/fields.ts';
import { normalisedUrl } from './url.ts';

// RFC 9110 9.2.1, and the safe methods of WebDAV. An unknown method is unsafe (RFC 9111 4.4).
const safe: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'REPORT',
  'SEARCH',
  'QUERY',
]);

/** Whether a method changes nothing at the origin. */
export function isSafeMethod(method: string): boolean {
  return safe.has(method);
}

/**
 * The URLs whose stored responses are invalid after this answer to an unsafe method (RFC 9111 4.4): its own
 * and those of Location and Content-Location within the same origin. None when the answer is an error.
 */
export function invalidatedUrls(url: string, status: number, responseFields: Fields): readonly string[] {
  if (status < 200 || status > 399) return [];
  const urls = new Set([url]);
  for (const name of ['location', 'content-location']) {
    for (const reference of responseFields.lines(name).slice(0, 4)) {
      for (const named of meant(reference, url)) {
        if (originOf(named) === originOf(url)) urls.add(named);
      }
    }
  }
  return [...urls];
}

// Some clients keep the dot segments of a reference, most resolve them: both URLs may be stored.
function meant(reference: string, base: string): readonly string[] {
  const verbatim =
    reference.startsWith('/') && !reference.startsWith('//') ? originOf(base) + reference : reference;
  const resolved = URL.canParse(reference, base) ? new URL(reference, base).href : '';
  return [normalisedUrl(verbatim), normalisedUrl(resolved)].filter((url) => url !== undefined);
}

function originOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash < 0 ? url : url.slice(0, slash);
}
