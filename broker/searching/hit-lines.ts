import type { SearchHit } from './search-answer.ts';

const encoder = new TextEncoder();

/** Hits as JSON lines (one object a line, UTF-8), made only as fast as they are read. */
export async function* hitLines(hits: AsyncIterable<SearchHit>): AsyncGenerator<Uint8Array> {
  for await (const hit of hits) yield encoder.encode(`${JSON.stringify(hit)}\n`);
}
