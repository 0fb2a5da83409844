import { defineErrors } from '../../kernel/index.ts';

/** Faults of the selection of types; documents themselves never cause errors here. */
export const summariseErrors = defineErrors({
  GATHERER_UNKNOWN_TYPE: {
    message: (data: { readonly name: string; readonly near: readonly string[] }) =>
      `there is no document type called "${data.name}"`,
    hint: (data: { readonly name: string; readonly near: readonly string[] }) =>
      data.near.length > 0
        ? `did you mean ${data.near.join(' or ')}?`
        : 'use the type names of the Type attribute, such as HTML, Text or Image',
    advice: 'use the type names of the Type attribute, such as HTML, Text or Image',
    exit: 2,
    retry: 'never',
    status: 400,
  },
});
