/**
 * Credit a frame costs beside its bytes, so that many tiny messages cannot fill memory with their overhead.
 * Both sides count it; a frame with no data (a bare end) costs nothing.
 */
export const frameCostBytes = 64;

/** Credit that a data frame of `length` decoded bytes costs. */
export function frameCost(length: number): number {
  return length === 0 ? 0 : length + frameCostBytes;
}
