import { defineErrors } from '../../kernel/index.ts';

interface Cache {
  /** The cache that was asked, as `host:port`. */
  readonly cache: string;
}

/** What can go wrong between us and the object cache through which we ask for everything. */
export const objectCacheErrors = defineErrors({
  FETCH_CACHE_SILENT: {
    message: ({ cache, why }: Cache & { readonly why: string }) =>
      `The object cache ${cache} of fetch.cache does not answer (${why}).`,
    hint: () =>
      'Start it (garner cache serve --proxy --port PORT --data DIR), correct fetch.cache, or leave it empty to do without.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_CACHE_REFUSED: {
    message: ({ cache, url, why }: Cache & { readonly url: string; readonly why: string }) =>
      `The object cache ${cache} does not ask for ${url}: ${why}.`,
    hint: () =>
      'Allow it there (cache.allow-hosts for a private address, cache.access for who may ask), or name the host in fetch.no-proxy here.',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  FETCH_CACHE_FOREIGN: {
    message: ({ cache, url }: Cache & { readonly url: string }) =>
      `The object cache ${cache} has no listing of ${url} that programs can read.`,
    hint: () =>
      'Folders and menus are listed for programs by garner cache serve alone: name one in fetch.cache, or the host in fetch.no-proxy.',
    exit: 12,
    retry: 'never',
    status: 502,
  },
});
