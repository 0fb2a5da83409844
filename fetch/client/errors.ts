import { defineErrors } from '../../kernel/index.ts';

interface Cache {
  /** The object cache, as `host:port`. */
  readonly cache: string;
}

/** Faults between this client and the object cache through which it sends its requests. */
export const objectCacheErrors = defineErrors({
  FETCH_CACHE_SILENT: {
    message: ({ cache, why }: Cache & { readonly why: string }) =>
      `The object cache ${cache} of fetch.cache does not answer (${why}).`,
    hint: () =>
      'Start it (garner cache serve --proxy --port PORT --data DIR), correct fetch.cache, or leave it empty to go without a cache.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_CACHE_REFUSED: {
    message: ({ cache, url, why }: Cache & { readonly url: string; readonly why: string }) =>
      `The object cache ${cache} does not fetch ${url}: ${why}.`,
    hint: () =>
      'Allow it there (cache.allow-hosts for a private address, cache.access for the allowed clients), or name the host in fetch.no-proxy here.',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  FETCH_CACHE_FOREIGN: {
    message: ({ cache, url }: Cache & { readonly url: string }) =>
      `The object cache ${cache} has no machine-readable listing of ${url}.`,
    hint: () =>
      'Only garner cache serve lists folders and menus for programs: name one in fetch.cache, or the host in fetch.no-proxy.',
    exit: 12,
    retry: 'never',
    status: 502,
  },
});
