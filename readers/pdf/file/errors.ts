import { defineErrors } from '../../../kernel/index.ts';

/** Reasons why Garner's PDF reader rejects a file; pdf.js then reads it. */
export const pdfErrors = defineErrors({
  GATHERER_PDF_UNSURE: {
    message: ({ reason }: { readonly reason: string }) => `the PDF could not be read: ${reason}`,
    hint: () => 'open it in a viewer; if it shows there, save or print it to a new PDF',
    exit: 3,
    retry: 'never',
  },
  GATHERER_PDF_MUTE: {
    message: () => 'Some fonts do not say what their letters mean',
    hint: () => 'make the PDF again with fonts that have a ToUnicode map',
    exit: 3,
    retry: 'never',
  },
  GATHERER_PDF_LOCKED: {
    message: () => 'the PDF is encrypted and opens only with a password',
    hint: () => 'publish a copy that opens without one',
    exit: 3,
    retry: 'never',
  },
});
