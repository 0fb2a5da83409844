import { defineErrors } from '../kernel/index.ts';

/** The answer to a publication that was not taken. */
export interface PublicationFailure {
  readonly address: string;
  readonly status: number;
  readonly reason: string;
  /** Its Retry-After field. */
  readonly retryAfter: string | undefined;
}

export const publicationErrors = defineErrors({
  PUBLICATION_INVALID: {
    message: ({ reason }: { reason: string }) => `the publication cannot be read: ${reason}`,
    hint: () => 'send the JSON that docs/http-api.md describes for POST /publish',
    exit: 1,
    retry: 'never',
    status: 400,
  },
  PUBLICATION_REFUSED: {
    message: ({ url, reason }: { url: string; reason: string }) => `${url} was not published: ${reason}`,
    hint: () =>
      'sign the object with the key that this server knows, with an Update-Time newer than the last one and not ahead of the time; a Broker takes it below the URL prefixes of its publisher',
    exit: 1,
    retry: 'never',
    status: 403,
  },
  PUBLICATION_RATE: {
    message: (_: { retrySeconds: number }) => 'too many requests to publish come from your network',
    hint: ({ retrySeconds }: { retrySeconds: number }) => `send it again in ${retrySeconds} seconds`,
    advice: 'send it again after the time of the Retry-After field',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  PUBLICATION_BUSY: {
    message: (_: { retrySeconds: number }) => 'too many publications are being verified at once',
    hint: () => 'send it again after the time of the Retry-After field',
    exit: 1,
    retry: 'later',
    status: 503,
  },
  PUBLICATION_FAILED: {
    message: ({ address, reason }: PublicationFailure) => `${address} refused the publication: ${reason}`,
    hint: () => 'mend what it names; the publication is sent again later',
    exit: 1,
    retry: 'later',
    status: 502,
  },
});
