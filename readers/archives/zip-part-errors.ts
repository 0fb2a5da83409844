import { defineErrors } from '../../kernel/index.ts';

/** What can be wrong with a document that is a zip archive. */
export const zipPartErrors = defineErrors({
  GATHERER_ZIP_DAMAGED: {
    message: ({ reason }: { readonly reason: string }) =>
      `the document's archive could not be read: ${reason}`,
    hint: () => 'open the document with its program and save it anew',
    exit: 3,
    retry: 'never',
  },
  GATHERER_ZIP_TOO_LARGE: {
    message: ({ name }: { readonly name: string }) => `the part ${name} of the document unfolds to too much`,
    hint: () => 'look at the document: it may be made to unfold without end',
    exit: 3,
    retry: 'never',
  },
});
