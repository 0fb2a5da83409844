export { AddressGuard, isLoopbackHost, isPublicAddress } from './address-guard.ts';
export { acceptEncoding, decodeBody } from './body-decoder.ts';
export {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  type Redirect,
  readBody,
  readStart,
} from './fetch.ts';
export { type Courtesy, HostGates } from './host-gates.ts';
export { objectCacheErrors } from './object-cache-errors.ts';
export {
  backoffMs,
  httpDate,
  isRetriedError,
  parseHttpDate,
  retriedStatuses,
  retryAfterMs,
} from './retry.ts';
export { TokenBucket } from './token-bucket.ts';
