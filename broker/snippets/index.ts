// The passage of a text that best shows why the object was found. Read snippet.ts, then snippet-window.ts
// (how passages are scored).
export { type AnsweringSections, bestSections, type HitSection } from './best-sections.ts';
export { snippet } from './snippet.ts';
export { titleMatches } from './text-matches.ts';
