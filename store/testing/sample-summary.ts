import { SetSummary, type ShortId, Sketch } from '../../awareness/index.ts';

/** The summary of a set read from its rows. */
export async function summarised(
  lists: AsyncIterable<readonly ShortId[]>,
  length: number,
): Promise<SetSummary> {
  const summary = new SetSummary(new Sketch(length));
  for await (const ids of lists) for (const id of ids) summary.add(id);
  return summary;
}
