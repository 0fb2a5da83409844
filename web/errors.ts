import { defineErrors } from '../kernel/index.ts';

/** What can go wrong in web/; docs/errors.md lists them. */
export const webErrors = defineErrors({
  WEB_ASSETS_MISSING: {
    message: ({ file }: { file: string }) => `the search page's file ${file} is not there`,
    hint: () => 'Install Garner anew, or run npm run prepare in a checkout.',
    exit: 1,
    retry: 'never',
  },
});
