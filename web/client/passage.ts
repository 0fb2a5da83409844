import type { Span } from './answers.ts';
import { element, type ViewNode } from './element.ts';

// A first match later than this may fall below the second line; the passage then starts nearer to it.
const latestMatch = 80;
const leadIn = 40;

/** The spans of a piece [from, to) of a text, as offsets into the piece; what reaches over its edges is cut. */
export function within(spans: readonly Span[], from: number, to: number): Span[] {
  return spans
    .filter(([start, end]) => start < to && end > from)
    .map(([start, end]): Span => [Math.max(start, from) - from, Math.min(end, to) - from]);
}

/** Text with its matched parts in `<mark>`. */
export function marked(text: string, spans: readonly Span[]): ViewNode[] {
  const nodes: ViewNode[] = [];
  let reached = 0;
  for (const [start, end] of spans) {
    if (start > reached) nodes.push(text.slice(reached, start));
    nodes.push(element('mark', {}, text.slice(start, end)));
    reached = end;
  }
  if (reached < text.length) nodes.push(text.slice(reached));
  return nodes;
}

/** A passage with its matches marked, cut at the front so that the first of them stands in the first lines. */
export function passage(text: string, spans: readonly Span[]): ViewNode[] {
  const first = spans[0]?.[0] ?? 0;
  if (first <= latestMatch) return marked(text, spans);
  const blank = text.indexOf(' ', first - leadIn);
  const cut = blank >= 0 && blank < first ? blank + 1 : first;
  const moved = spans.map(([start, end]): Span => [start - cut + 1, end - cut + 1]);
  return marked(`…${text.slice(cut)}`, moved);
}
