/** Whether this Accept field prefers a page, as browsers do, to JSON. */
export const wantsPage = (accept = ''): boolean =>
  /\btext\/html\b/.test(accept) && !/\bapplication\/json\b/.test(accept);
