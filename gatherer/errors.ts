import { defineErrors, type GarnerError } from '../kernel/index.ts';

/** The reason of a document's error in a report, after its URL, which contains the path already. */
export function reasonOf({ code, message, data }: GarnerError): string {
  return code === 'GATHERER_UNREADABLE' ? (data as { readonly reason: string }).reason : message;
}

interface RootsData {
  readonly roots: number;
  /** A line for each. */
  readonly list: string;
  /** The hint of the first. */
  readonly hint: string;
}

export const gathererErrors = defineErrors({
  GATHERER_ROOT: {
    message: ({ root, reason }: { root: string; reason: string }) => `${root} cannot be gathered: ${reason}`,
    hint: () =>
      'name a folder that exists, or a URL such as https://www.example.org/ or mbox:/var/mail/jo (roots.md of the manual has every kind)',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  GATHERER_ROOTS: {
    message: ({ roots, list }: RootsData) => `none of the ${roots} roots could be read:\n${list}`,
    hint: ({ hint }: RootsData) =>
      `correct these roots or remove them from gatherer.roots; for the first: ${hint}`,
    advice: 'correct these roots or remove them from gatherer.roots; a hint for the first follows',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  GATHERER_UNREADABLE: {
    message: ({ path, reason }: { path: string; reason: string }) => `${path} could not be read: ${reason}`,
    hint: () => 'let the Gatherer read it, or leave it out; its summaries stay until then',
    exit: 3,
    retry: 'later',
  },
  GATHERER_FOLDER_EMPTY: {
    message: ({ path, held }: { path: string; held: number }) =>
      `${path} is empty while ${held} summaries of its files are held: nothing was deleted`,
    hint: () =>
      'mount the disk that belongs there; if the folder is meant to be empty, set gatherer.allow-empty to true',
    exit: 3,
    retry: 'later',
  },
  GATHERER_GIVEN_UP: {
    message: ({ url, reason }: { url: string; reason: string }) => `${url} was not summarised: ${reason}`,
    hint: () => 'raise gatherer.document-time or gatherer.thread-memory; until then it has a plain summary',
    exit: 3,
    retry: 'later',
  },
  GATHERER_SINCE: {
    message: ({ since }: { since: string }) => `"${since}" is neither EPOCH.LSN nor a time`,
    hint: () => 'give the value of x-garner-state in an earlier answer, or seconds since 1970',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  GATHERER_STALE: {
    message: ({ since }: { since: string }) => `this Gatherer has no changes since ${since}`,
    hint: () => 'read /soif without since, and compare it with your copy',
    exit: 1,
    retry: 'never',
    status: 410,
  },
  GATHERER_NO_URL: {
    message: ({ text }: { text: string }) => `${JSON.stringify(text)} is not an absolute URL`,
    hint: () =>
      'write it with its scheme: https://www.example.org/a.html, or file:///srv/docs/a.html for a file; an existing file may be named by its path',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  GATHERER_UNKNOWN_URL: {
    message: ({ url }: { url: string }) => `nothing is known of ${url}`,
    hint: () => 'garner gatherer why URL shows whether it would be gathered',
    exit: 1,
    retry: 'never',
    status: 404,
  },
  GATHERER_NOTHING: {
    message: ({ path }: { path: string; data: string }) => `${path} names no root to gather`,
    hint: ({ data }: { path: string; data: string }) =>
      `name one in gatherer.roots of garner.yaml (of the Debian package: /etc/garner/garner.yaml), or run garner gatherer run --root FOLDER|URL --data ${data}`,
    exit: 2,
    retry: 'never',
  },
});
