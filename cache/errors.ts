import { defineErrors } from '../kernel/index.ts';

const shown = (url: string) => (url.length <= 200 ? url : `${url.slice(0, 197)}...`);

/** What can go wrong between a client of the Object Cache, its store and those it asks. */
export const cacheErrors = defineErrors({
  CACHE_DAMAGED: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is damaged`,
    hint: () => 'it was dropped and will be fetched again; check the disk when this comes back',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  CACHE_GONE: {
    message: ({ key }: { key: string }) => `the stored response of ${shown(key)} is no longer here`,
    hint: () => 'ask again: it will be fetched anew',
    exit: 1,
    retry: 'now',
    status: 502,
  },
  CACHE_STORE_FAILED: {
    message: ({ path, reason }: { path: string; reason: string }) =>
      `the store of the cache in ${path} cannot be used: ${reason}`,
    hint: () => 'check permissions, free space, open files (ulimit -n) and the disk',
    exit: 1,
    retry: 'later',
    status: 503,
  },
});
