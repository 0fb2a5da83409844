import type { Segment } from '../index-database/index-state.ts';

/** Segments of one size that are merged into one. */
const mergeFactor = 6;
/** Of the smallest ones, as single changes make them: a look into one costs a search little, a merge costs what it begins. */
const smallestMerged = 16;
const maxMerged = 24;
const smallestTierBytes = 16 * 1024;
const mostlyDead = 0.4;

const tier = ({ bytes }: Segment) =>
  Math.max(0, Math.floor(Math.log(Math.max(1, bytes / smallestTierBytes)) / Math.log(mergeFactor)));

/**
 * Which neighbouring segments to merge next, or none: where enough of the smallest possible tier stand with nothing
 * larger between them (so that each byte is rewritten about once per tier), otherwise a segment much of which is dead.
 */
export function planMerge(segments: readonly Segment[]): readonly Segment[] {
  const tiers = segments.map(tier);
  for (const limit of [...new Set(tiers)].sort((a, b) => a - b)) {
    let from = 0;
    let peers = 0;
    for (let at = 0; at <= segments.length; at++) {
      if (at < segments.length && (tiers[at] as number) <= limit) {
        if (tiers[at] === limit) peers++;
        continue;
      }
      if (peers >= (limit === 0 ? smallestMerged : mergeFactor))
        return segments.slice(Math.max(from, at - maxMerged), at);
      from = at + 1;
      peers = 0;
    }
  }
  const worn = segments.find(({ docs, dead }) => dead >= docs || (dead >= 64 && dead > docs * mostlyDead));
  return worn === undefined ? [] : [worn];
}
