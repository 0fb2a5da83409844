import { defineErrors } from '../../kernel/index.ts';

interface Place {
  readonly url: string;
}

/** Faults while the URLs of a root are found and read. */
export const enumerationErrors = defineErrors({
  GATHERER_ROOT_INVALID: {
    message: ({ url }: Place) => `${url} is not a web address to gather from.`,
    hint: () => 'Give an http: or https: URL without user name and password, or a folder.',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  GATHERER_ROOT_MOVED: {
    message: ({ url, to }: Place & { readonly to: string }) => `${url} leads to another site: ${to}.`,
    hint: ({ to }: Place & { readonly to: string }) => `Give ${to} as the root instead.`,
    exit: 2,
    retry: 'never',
    status: 502,
  },
  GATHERER_ROOT_STATUS: {
    message: ({ url, status }: Place & { readonly status: number }) => `${url} answers ${status}.`,
    hint: () => 'Check the address and the log of the web server; nothing was deleted.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  GATHERER_ROOT_REFUSED: {
    message: ({ url, rule }: Place & { readonly rule: string }) =>
      `Nothing can be gathered from ${url}: it is left out (${rule}).`,
    hint: () =>
      'Start from a page that may be gathered; for your own site you can turn gatherer.robots off or raise limits.',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  GATHERER_SITE_SILENT: {
    message: ({ url, failures }: Place & { readonly failures: number }) =>
      `${url} stopped answering: ${failures} pages in a row failed.`,
    hint: () =>
      'Check that the web server runs and can be reached, and raise fetch.delay if it demands fewer requests (429), then gather again; nothing was deleted.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  GATHERER_ROBOTS_UNREADABLE: {
    message: ({ url, why }: Place & { readonly why: string }) => `${url} may not be read at present: ${why}.`,
    hint: () =>
      'A site whose robots.txt cannot be read is not gathered (RFC 9309); repair it, or turn gatherer.robots off for your own site.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  GATHERER_BAD_STATUS: {
    message: ({ url, status }: Place & { readonly status: number }) =>
      `${url} answered with status ${status}.`,
    hint: () => 'Look at the log of the web server.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  GATHERER_REDIRECTS: {
    message: ({ url, why }: Place & { readonly why: string }) => `${url} leads nowhere: ${why}.`,
    hint: () => 'The redirects of the site go in a circle or never end; repair them there.',
    exit: 3,
    retry: 'never',
    status: 502,
  },
});
