import { defineErrors } from '../../kernel/index.ts';

interface Reasoned {
  readonly why: string;
}

/** Faults of roots that are neither a folder nor a web site. */
export const rootErrors = defineErrors({
  GATHERER_ROOT_NODE: {
    message: ({ key, why }: Reasoned & { readonly key: string; readonly cure: string }) => `${key}: ${why}.`,
    hint: ({ cure }: Reasoned & { readonly key: string; readonly cure: string }) => cure,
    advice: 'correct that root; roots.md of the manual has the URL and the options of every kind',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  GATHERER_PROGRAM: {
    message: ({ program, why }: Reasoned & { readonly program: string }) => `${program} failed: ${why}.`,
    hint: () => 'Run the program by hand as the user of the Gatherer; nothing was deleted.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  GATHERER_NEWS: {
    message: ({ host, why }: Reasoned & { readonly host: string }) =>
      `Nothing can be gathered from the news server ${host}: ${why}.`,
    hint: () => 'Check the name of the group and the rights at the news server; nothing was deleted.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  GATHERER_FEED: {
    message: ({ url, why }: Reasoned & { readonly url: string }) => `${url} is not a feed: ${why}.`,
    hint: () =>
      'Give the address of an RSS, Atom or JSON feed; a page is gathered with its own address as a root.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
  GATHERER_GIT: {
    message: ({ path, why }: Reasoned & { readonly path: string }) =>
      `The git repository ${path} cannot be read: ${why}.`,
    hint: () => 'Check the path and the revision, and that Debian’s git is installed; nothing was deleted.',
    exit: 3,
    retry: 'later',
    status: 502,
  },
});
