import { defineErrors } from '../../kernel/index.ts';

interface NoMenu {
  readonly url: string;
  readonly why: string;
  /** The server itself says that it has none. */
  readonly isMissing?: true;
}

/** What can go wrong between a Gopher server and us besides what any server may do. */
export const gopherErrors = defineErrors({
  FETCH_GOPHER_MENU: {
    message: ({ url, why }: NoMenu) => `${url} is no menu: ${why}.`,
    hint: () => 'Check that the port belongs to a Gopher server (RFC 1436) and that the item is of type 1.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
});
