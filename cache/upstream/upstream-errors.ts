import { fetchErrors } from '../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../kernel/index.ts';
import { type ConnectFaultName, connectFaults } from '../connect-faults.ts';
import { cacheErrors } from '../errors.ts';

const faults: Readonly<Record<string, ConnectFaultName>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'name-unknown',
  EAI_AGAIN: 'name-service',
  EHOSTUNREACH: 'no-way',
  ENETUNREACH: 'no-way',
  ETIMEDOUT: 'connect-timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  CERT_UNTRUSTED: 'untrusted',
  CERT_HAS_EXPIRED: 'out-of-date',
  CERT_NOT_YET_VALID: 'out-of-date',
  ERR_TLS_CERT_ALTNAME_INVALID: 'other-name',
  HOSTNAME_MISMATCH: 'other-name',
};

const reasons: Readonly<Record<string, string>> = {
  EMFILE: 'this process has too many open files',
};

const brokenOff = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED']);

/** The typed error for an error of the transport to an upstream, before or during its answer. */
export function upstreamError(url: string, error: unknown): GarnerError {
  if (isGarnerError(error, fetchErrors.FETCH_PRIVATE_ADDRESS))
    return failure(cacheErrors.CACHE_ADDRESS_REFUSED, { url, why: 'its address is private' }, error);
  if (isGarnerError(error)) return error;
  const code = codeOf(error);
  if (code.startsWith('HPE_'))
    return failure(cacheErrors.CACHE_BAD_RESPONSE, { url, why: parserText(code) }, error);
  if (brokenOff.has(code))
    return failure(cacheErrors.CACHE_BROKEN_OFF, { url, why: 'the connection was closed' }, error);
  const fault = faults[code] ?? tlsFault(code);
  if (fault === undefined)
    return failure(
      cacheErrors.CACHE_UNREACHABLE,
      { url, why: reasons[code] ?? (code || 'it failed') },
      error,
    );
  const { why, proxyError } = connectFaults[fault];
  const reason = proxyError.startsWith('tls_') ? `${why} (${code})` : why;
  return failure(cacheErrors.CACHE_UNREACHABLE, { url, why: reason, fault }, error);
}

/** The typed error for a connection that took too long. */
export function connectingTooLong(url: string): GarnerError {
  const fault = 'connect-timeout';
  return failure(cacheErrors.CACHE_SILENT, { url, why: connectFaults[fault].why, fault });
}

function tlsFault(code: string): ConnectFaultName | undefined {
  // An alert names the other side's objection, including objections to certificates.
  if (/_ALERT_/.test(code)) return 'alert';
  if (/CERT|UNABLE_TO_|INVALID_CA/.test(code)) return 'certificate';
  return /TLS|SSL|EPROTO/.test(code) ? 'tls' : undefined;
}

/** Node tries the addresses of a name one after another and reports all failures together. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

function parserText(code: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'its head is too large';
  return `it is not valid HTTP (${code})`;
}
