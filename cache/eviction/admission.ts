/** What one response may take of a store at most: it would drive out too many others for one. */
const largestPart = 1 / 20;
/** In a small store what most pages and their pictures need is let in all the same, up to half of the store. */
const alwaysAdmitted = 2 ** 20;

/** How many bytes a response may have at most to be let into a store of `budget` bytes. */
export function largestAdmitted(budget: number): number {
  return Math.max(Math.floor(budget * largestPart), Math.min(Math.floor(budget / 2), alwaysAdmitted));
}

/** Whether a response of so many bytes is let into a store of `budget` bytes. */
export const admits = (bytes: number, budget: number): boolean => bytes <= largestAdmitted(budget);
