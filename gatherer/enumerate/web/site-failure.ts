import { fetchErrors, objectCacheErrors, type RobotsVerdict } from '../../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { gathererErrors } from '../../errors.ts';
import { enumerationErrors } from '../errors.ts';
import type { Reading } from './candidate-reader.ts';

const silentErrors = [
  fetchErrors.FETCH_UNREACHABLE,
  fetchErrors.FETCH_REFUSED,
  fetchErrors.FETCH_TIMEOUT,
  fetchErrors.FETCH_HOST_UNKNOWN,
  fetchErrors.FETCH_RESOLVER,
  fetchErrors.FETCH_TLS,
  fetchErrors.FETCH_BAD_RESPONSE,
  fetchErrors.FETCH_PRIVATE_ADDRESS,
  objectCacheErrors.FETCH_CACHE_SILENT,
  objectCacheErrors.FETCH_CACHE_REFUSED,
  enumerationErrors.GATHERER_ROBOTS_UNREADABLE,
];

const providerErrors = [
  ...silentErrors,
  fetchErrors.FETCH_INTERRUPTED,
  fetchErrors.FETCH_BAD_ENCODING,
  enumerationErrors.GATHERER_SITE_SILENT,
  enumerationErrors.GATHERER_ROOT_STATUS,
  enumerationErrors.GATHERER_ROOT_REFUSED,
  enumerationErrors.GATHERER_REDIRECTS,
  gathererErrors.GATHERER_UNREADABLE,
];

// Statuses of a proxy whose server does not answer, and of a server that wants no more requests.
const silentStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const gaveNoAnswer = (error: GarnerError) => silentErrors.some((kind) => isGarnerError(error, kind));

/** Whether the server, or a proxy for it, gave no answer or demands fewer requests. */
export function isSilence(reading: Reading): reading is Extract<Reading, { kind: 'failed' }> {
  if (reading.kind !== 'failed') return false;
  return reading.status === undefined ? gaveNoAnswer(reading.error) : silentStatuses.has(reading.status);
}

// After this many pages in a row without an answer, the site counts as down or overloaded.
const maxSilence = 20;

/** Gives up on a site that does not answer, instead of waiting for each of its pages. */
export class SilenceWatch {
  readonly #root: string;
  #failures = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Note a reading. Throws when the start page, or many pages in a row, gave no answer. */
  note(url: string, isRoot: boolean, reading: Reading): void {
    if (!isSilence(reading)) {
      this.#failures = 0;
      return;
    }
    this.#failures += 1;
    if (isRoot) throw rootFault(url, reading) ?? reading.error;
    if (this.#failures < maxSilence) return;
    const data = { url: this.#root, failures: this.#failures };
    throw failure(enumerationErrors.GATHERER_SITE_SILENT, data, reading.error);
  }
}

/** Whether a run ended because its root could not be read; then nothing is known of the documents gathered before. */
export function isProviderFault(error: GarnerError): boolean {
  // The first of several roots decides.
  if (isGarnerError(error, gathererErrors.GATHERER_ROOTS) && isGarnerError(error.cause))
    return isProviderFault(error.cause);
  return providerErrors.some((kind) => isGarnerError(error, kind));
}

/** What robots.txt makes of reading a URL, unless it allows that; of an unreadable one the server's error, if known. */
export function robotsRefusal(
  url: string,
  verdict: RobotsVerdict | undefined,
): Extract<Reading, { kind: 'refused' | 'failed' }> | undefined {
  if (verdict === undefined || verdict.allowed) return undefined;
  const { rule, temporary, error } = verdict;
  if (!temporary) return { kind: 'refused', rule };
  if (error !== undefined && gaveNoAnswer(error)) return { kind: 'failed', error };
  return { kind: 'failed', error: failure(enumerationErrors.GATHERER_ROBOTS_UNREADABLE, { url, why: rule }) };
}

/** The fault of a start page, or undefined when it can be read or a rule of the site leaves it out. */
export function rootFault(url: string, reading: Reading): GarnerError | undefined {
  if (reading.kind !== 'gone' && reading.kind !== 'refused' && reading.kind !== 'failed') return undefined;
  const { status } = reading;
  if (status !== undefined) return failure(enumerationErrors.GATHERER_ROOT_STATUS, { url, status });
  return reading.kind === 'failed' ? reading.error : undefined;
}
