import { defineErrors } from '../../kernel/index.ts';

/** What can be wrong with how candidates are selected; documents themselves never cause errors here. */
export const summariseErrors = defineErrors({
  GATHERER_UNKNOWN_TYPE: {
    message: (data: { readonly name: string; readonly near: readonly string[] }) =>
      `there is no document type called "${data.name}"`,
    hint: (data: { readonly name: string; readonly near: readonly string[] }) =>
      data.near.length > 0
        ? `did you mean ${data.near.join(' or ')}?`
        : 'name types as the Type attribute of a summary does, such as HTML, Text or Image',
    advice: 'name types as the Type attribute of a summary does, such as HTML, Text or Image',
    exit: 2,
    retry: 'never',
    status: 400,
  },
});
