import { ByteReader, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

const endsEarly = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });

/** Reads bytes of an index from `at` up to `end`; throws ENGINE_DAMAGED where they do not fit. */
export const readerOf = (bytes: Uint8Array, at?: number, end?: number): ByteReader =>
  new ByteReader(bytes, endsEarly, at, end);
