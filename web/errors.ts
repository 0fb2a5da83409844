import { defineErrors } from '../kernel/index.ts';

/** What can go wrong in web/; docs/errors.md lists them. */
export const webErrors = defineErrors({
  WEB_ASSETS_MISSING: {
    message: ({ file }: { file: string }) => `the file ${file} of the search page is missing`,
    hint: () => 'Reinstall Garner, or run npm run prepare in a checkout.',
    exit: 1,
    retry: 'never',
  },
});
