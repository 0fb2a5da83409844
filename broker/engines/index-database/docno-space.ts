import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

// Docnos are given out once: those of objects that are gone leave room for nothing. What grows with them are lists of
// chunks and sets of bits, 1 to 2 bytes for 16 docnos.
const deadPerObject = 64;
const sparseFrom = 2 ** 24;
const maxDocnos = 2 ** 28;

interface DocnoSpace {
  readonly nextDocno: number;
  readonly count: number;
}

/** Whether an index has so many docnos of objects that are gone that it is filled anew when it is opened. */
export const isSparse = ({ nextDocno, count }: DocnoSpace): boolean =>
  nextDocno > sparseFrom + deadPerObject * count;

/** An index that never is opened anew begins anew before its docnos end. Throws ENGINE_DAMAGED, which leads to that. */
export function demandDocnos({ nextDocno, count }: DocnoSpace): void {
  if (nextDocno > maxDocnos + deadPerObject * count)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'the numbers of its objects are used up' });
}
