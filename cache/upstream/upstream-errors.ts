import { fetchErrors } from '../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to its address',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'connecting took too long',
  EMFILE: 'this process has too many open files',
};

const brokenOff = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

/** The typed error for whatever the transport to an upstream threw before or during its answer. */
export function upstreamError(url: string, error: unknown): GarnerError {
  if (isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS))
    return failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url, why: 'its address is private' }, error);
  if (isGarnerError(error)) return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_'))
    return failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why: parserWords(code) }, error);
  if (brokenOff.has(code))
    return failure(cacheErrors.CACHE_BROKEN_OFF, { url, why: 'the connection was closed' }, error);
  const tls = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO/.test(code);
  const why = tls
    ? `its certificate or TLS is not accepted (${code})`
    : (reasons[code] ?? (code || 'it failed'));
  return failure(cacheErrors.CACHE_UNREACHABLE, { url, why }, error);
}

/** Node tries a name's addresses one after the other and tells of all of them together. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

function parserWords(code: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'its head is too large';
  return `it is not valid HTTP (${code})`;
}
