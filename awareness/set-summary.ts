import { SignSums } from './difference-estimate.ts';
import { SetFingerprint } from './fingerprint.ts';
import { type ShortId, shortIdOf } from './short-id.ts';
import { Sketch } from './sketch.ts';

/** The summary that shows a set's difference from another: a sketch, and an estimate of the needed cells. */
export class SetSummary {
  readonly sketch: Sketch;
  readonly sums: SignSums;

  constructor(sketch: Sketch, sums: SignSums = new SignSums()) {
    this.sketch = sketch;
    this.sums = sums;
  }

  add(id: ShortId): void {
    this.sketch.toggle(id);
    this.sums.add(id);
  }

  remove(id: ShortId): void {
    this.sketch.toggle(id);
    this.sums.remove(id);
  }

  copy(): SetSummary {
    return new SetSummary(this.sketch.prefix(this.sketch.length), this.sums.copy());
  }
}

/** Max cells of a stored sketch. */
export const maxSketchLength = 65_536;

/** Cells by the size of a set: at least a sixteenth of it, in few steps, since each step needs a rebuild. */
const sizes = [
  { upTo: 8192, cells: 1024 },
  { upTo: 65_536, cells: 8192 },
  { upTo: Number.POSITIVE_INFINITY, cells: maxSketchLength },
] as const;

/** Cells for a set of so many elements: 12, 96 or 768 KiB, for some 700, 6,000 or 48,000 differences. */
export function cellsFor(count: number): number {
  return (sizes.find(({ upTo }) => count <= upTo) ?? sizes[2]).cells;
}

/** The summary and fingerprint of a set read from its beginning: incremental ones must equal them. */
export async function summarise(
  elements: AsyncIterable<readonly { readonly handle: Uint8Array; readonly element: Uint8Array }[]>,
  cells: number,
): Promise<{ readonly summary: SetSummary; readonly fingerprint: SetFingerprint }> {
  const summary = new SetSummary(new Sketch(cells));
  const fingerprint = new SetFingerprint();
  for await (const batch of elements)
    for (const { handle, element } of batch) {
      fingerprint.add(element);
      summary.add(shortIdOf(handle, element));
    }
  return { summary, fingerprint };
}
