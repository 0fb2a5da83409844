// The passage of a text that shows best why it was found. Read snippet.ts, then snippet-window.ts (how passages are
// weighed).
export { snippet } from './snippet.ts';
export { titleMatches } from './text-matches.ts';
