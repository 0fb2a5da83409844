import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

// Docnos are assigned once; those of deleted objects are not reused. Lists of chunks and sets of bits grow
// with them, by 1 to 2 bytes for 16 docnos.
const deadPerObject = 64;
const sparseFrom = 2 ** 24;
const maxDocnos = 2 ** 28;

interface DocnoSpace {
  readonly nextDocno: number;
  readonly count: number;
}

/** Whether an index has so many docnos of deleted objects that it is refilled when it is opened. */
export const isSparse = ({ nextDocno, count }: DocnoSpace): boolean =>
  nextDocno > sparseFrom + deadPerObject * count;

/** Restart an index that is never reopened before its docnos run out. Throws ENGINE_DAMAGED for that. */
export function demandDocnos({ nextDocno, count }: DocnoSpace): void {
  if (nextDocno > maxDocnos + deadPerObject * count)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'the numbers of its objects are used up' });
}
