import { defineErrors } from '../../kernel/index.ts';

/** What can go wrong with a program of the system that reads a document for us. */
export const externalToolErrors = defineErrors({
  GATHERER_TOOL_ABSENT: {
    message: ({ tool }: { readonly tool: string }) => `${tool} is not installed`,
    hint: ({ tool }: { readonly tool: string }) =>
      `install the package that holds ${tool}; garner doctor tells which`,
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_SLOW: {
    message: ({ tool, seconds }: { readonly tool: string; readonly seconds: number }) =>
      `${tool} was ended after ${seconds} seconds`,
    hint: () => 'look at the document: it may be damaged, or made to keep its reader busy',
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_VERBOSE: {
    message: ({ tool, bytes }: { readonly tool: string; readonly bytes: number }) =>
      `${tool} was ended because it wrote more than ${bytes} bytes`,
    hint: () => 'look at the document: it may be made to unfold without end',
    exit: 3,
    retry: 'never',
  },
  GATHERER_TOOL_FAILED: {
    message: ({ tool, reason }: { readonly tool: string; readonly reason: string }) =>
      `${tool} failed: ${reason}`,
    hint: () => 'look at the document: it may be damaged',
    exit: 3,
    retry: 'never',
  },
});
