import { fetchErrors, ftpErrors, gopherErrors } from '../../fetch/index.ts';
import { failure, GarnerError, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { upstreamError } from './upstream-errors.ts';

const brokenOff = [fetchErrors.FETCH_INTERRUPTED];
const unusable = [
  fetchErrors.FETCH_TOO_LARGE,
  ftpErrors.FETCH_FTP_SPEECH,
  ftpErrors.FETCH_FTP_BOUNCE,
  gopherErrors.FETCH_GOPHER_MENU,
];

/** The error of a client of another protocol as an error of this folder. */
export function explained(url: string, error: unknown): GarnerError {
  if (!(error instanceof GarnerError) || !error.code.startsWith('FETCH_')) return upstreamError(url, error);
  const is = (kinds: readonly Parameters<typeof isGarnerError>[1][]) =>
    kinds.some((kind) => isGarnerError(error, kind));
  if (is([fetchErrors.FETCH_PRIVATE_ADDRESS])) return upstreamError(url, error);
  const why = error.message;
  if (is([fetchErrors.FETCH_TIMEOUT])) return failure(cacheErrors.CACHE_SILENT, { url, why }, error);
  if (is([fetchErrors.FETCH_BAD_URL])) return failure(cacheErrors.CACHE_BAD_REQUEST, { problem: why }, error);
  if (is(brokenOff)) return failure(cacheErrors.CACHE_BROKEN_OFF, { url, why }, error);
  if (is(unusable)) return failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why }, error);
  return failure(cacheErrors.CACHE_UNREACHABLE, { url, why }, error);
}
