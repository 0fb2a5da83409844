/** Whether who asks with this Accept field wants a page, as browsers do, rather than JSON. */
export const wantsPage = (accept = ''): boolean =>
  /\btext\/html\b/.test(accept) && !/\bapplication\/json\b/.test(accept);
