import { ownSet } from '../sets/index.ts';

// The row of an object names the partitions that hold it. `ownSet` among them, or none at all, means that the object
// was published in this store itself. No source can end that claim by leaving the object out.

/** Whether an object with these partitions was published here itself. */
export const isOwn = (partitions: readonly number[]): boolean =>
  partitions.length === 0 || partitions.includes(ownSet);

/** The partitions with one more, which comes last. */
export function withSource(partitions: readonly number[], partition: number): readonly number[] {
  if (partitions.includes(partition)) return partitions;
  return [...(partitions.length === 0 ? [ownSet] : partitions), partition];
}

/** The partitions of an object that was published here too; it counts for that first. */
export const withOwn = (partitions: readonly number[]): readonly number[] =>
  isOwn(partitions) ? partitions : [ownSet, ...partitions];

/** The partitions of the sources that offer an object. */
export const sourcesAmong = (partitions: readonly number[]): readonly number[] =>
  partitions.filter((partition) => partition !== ownSet);
