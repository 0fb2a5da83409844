import { partUrl } from '../document/index.ts';

/** A document's links, resolved: its references and those that may be followed. */
export interface References {
  readonly references: readonly string[];
  readonly links: readonly string[];
  /** Whether links were left out because there were too many or they were too long. */
  readonly cut: boolean;
}

// Longer URLs are traps or data, and more links than this are a generated list that its parts list again.
const maxUrlLength = 2048;
const maxReferences = 50_000;
const maxReferenceBytes = 4 * 1024 * 1024;

const followedSchemes: ReadonlySet<string> = new Set(['http:', 'https:', 'file:']);
// Not references to another document.
const ignoredSchemes: ReadonlySet<string> = new Set(['javascript:', 'data:', 'blob:', 'about:', 'vbscript:']);

/** Collects links as written and resolves each once, without fragments, when the base is known. */
export class ReferenceCollector {
  /** Link as written, without fragment; true when it may be followed. */
  readonly #written = new Map<string, boolean>();
  #cut = false;

  /** Take one link as written; `follow` is false when it is marked nofollow. */
  add(written: string, follow: boolean): void {
    const hash = written.indexOf('#');
    const url = hash < 0 ? written : written.slice(0, hash);
    if (url === '') return;
    const known = this.#written.get(url);
    if (known === true || known === follow) return;
    if (known === undefined && (url.length > maxUrlLength || this.#written.size >= maxReferences)) {
      if (!/^\s*(?:data|javascript):/i.test(url)) this.#cut = true;
      return;
    }
    this.#written.set(url, follow);
  }

  /** Resolve all links against `base`, an absolute URL. Links that do not resolve are left out. */
  resolve(base: string): References {
    const resolved = new Map<string, boolean>();
    let bytes = 0;
    for (const [written, follow] of this.#written) {
      const url = resolvedUrl(written, base);
      if (url === undefined) continue;
      if (!resolved.has(url)) bytes += url.length + 1;
      if (bytes > maxReferenceBytes) {
        this.#cut = true;
        break;
      }
      resolved.set(url, follow || resolved.get(url) === true);
    }
    const references = [...resolved.keys()];
    // A document beside it in its archive is gathered with the archive.
    const links = references.filter(
      (url) =>
        resolved.get(url) === true &&
        followedSchemes.has(url.slice(0, url.indexOf(':') + 1)) &&
        !url.includes('#'),
    );
    return { references, links, cut: this.#cut };
  }
}

/**
 * `written` resolved against `base`, without fragment; undefined when it is not a reference to a document.
 * For a document in an archive (`base` has its path there as fragment) a relative reference is a document of
 * the archive too and is named in the same way; one outside the archive is undefined.
 */
export function resolvedUrl(written: string, base: string): string | undefined {
  const hash = base.indexOf('#');
  if (hash >= 0 && !/^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2})/i.test(written))
    return resolvedInside(written, base.slice(0, hash), base.slice(hash + 1));
  let url: URL;
  try {
    url = new URL(written, base);
  } catch {
    return undefined;
  }
  if (ignoredSchemes.has(url.protocol)) return undefined;
  url.hash = '';
  // Names and passwords in links are secrets on their way into a public index.
  if (url.username !== '' || url.password !== '') {
    url.username = '';
    url.password = '';
  }
  return url.href;
}

// A place that no path climbs out of unseen.
const archiveRoot = 'http://archive.invalid/root/';

function resolvedInside(written: string, archive: string, path: string): string | undefined {
  const { href } = URL.parse(written, archiveRoot + path) ?? {};
  if (href?.startsWith(archiveRoot) !== true) return undefined;
  const [inside = ''] = href.slice(archiveRoot.length).split(/[?#]/, 1);
  const url = partUrl(archive, named(inside));
  // A document does not refer to itself.
  return inside === '' || url === `${archive}#${path}` ? undefined : url;
}

function named(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
