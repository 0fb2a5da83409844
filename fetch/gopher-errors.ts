import { defineErrors } from '../kernel/index.ts';

/** What can go wrong between a Gopher server and us besides what any server may do. */
export const gopherErrors = defineErrors({
  FETCH_GOPHER_MENU: {
    message: ({ url, why }: { readonly url: string; readonly why: string }) => `${url} is no menu: ${why}.`,
    hint: () => 'Check that the port belongs to a Gopher server (RFC 1436) and that the item is of type 1.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
});
