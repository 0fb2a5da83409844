// The types of a request and its answer, and what every client shares: the address guard, the delays and rates of hosts,
// retries and the decoding of bodies. Read fetch.ts, then host-gates.ts.
export { AddressGuard, isLoopbackHost, isPublicAddress } from './address-guard.ts';
export { acceptEncoding, decodeBody } from './body-decoder.ts';
export { objectCacheErrors } from './errors.ts';
export {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  type Redirect,
  readBody,
  readStart,
} from './fetch.ts';
export { type Courtesy, HostGates } from './host-gates.ts';
export {
  backoffMs,
  httpDate,
  isRetriedError,
  parseHttpDate,
  retriedStatuses,
  retryAfterMs,
} from './retry.ts';
export { TokenBucket } from './token-bucket.ts';
