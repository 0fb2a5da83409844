/** A single response may take this part of a store at most, since it would evict too many others. */
const largestPart = 1 / 20;
/** A small store admits pages and pictures of this size all the same, up to half of the store. Bytes. */
const alwaysAdmitted = 2 ** 20;

/** The max bytes of a response that a store of `budget` bytes admits. */
export function largestAdmitted(budget: number): number {
  return Math.max(Math.floor(budget * largestPart), Math.min(Math.floor(budget / 2), alwaysAdmitted));
}

/** Whether a store of `budget` bytes admits a response of `bytes`. */
export const admits = (bytes: number, budget: number): boolean => bytes <= largestAdmitted(budget);
