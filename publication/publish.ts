import { type Fetch, readBody } from '../fetch/index.ts';
import { failure } from '../kernel/index.ts';
import { publicationErrors } from './errors.ts';
import { type Publication, publicationJson } from './publication.ts';

/** Each published object is one row of the answer. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** The message of a server's error, where its answer has one. */
function messageOf(answer: string): string | undefined {
  try {
    const { error } = JSON.parse(answer) as { readonly error?: { readonly message?: unknown } };
    return typeof error?.message === 'string' ? error.message.slice(0, 500) : undefined;
  } catch {
    return undefined;
  }
}

interface Sending {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal;
  readonly token?: string;
}

/** Send a body to `POST /publish`; resolves to the JSON of the answer. */
async function post(
  address: string,
  { type, body }: { readonly type: string; readonly body: Uint8Array },
  { fetch, signal, token }: Sending,
): Promise<string> {
  const base = address.endsWith('/') ? address : `${address}/`;
  await using response = await fetch({
    ...{ url: new URL('publish', base).href, method: 'POST', redirect: 'manual', maxBytes: maxAnswerBytes },
    headers: {
      ...{ 'content-type': type, accept: 'application/json' },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...{ body, signal },
  });
  const answer = Buffer.from(await readBody(response)).toString();
  const { status } = response;
  if (status === 200) return answer;
  throw failure(publicationErrors.PUBLICATION_FAILED, {
    ...{ address, status },
    reason: messageOf(answer) ?? `it answers with status ${status}`,
    retryAfter: response.headers['retry-after'],
  });
}

/**
 * Send a publication to the server at `address`, such as `http://127.0.0.1:8502/`. Throws PUBLICATION_FAILED with
 * the server's reason when it refuses, and FETCH_* when it does not answer.
 */
export async function publish(address: string, publication: Publication, sending: Sending): Promise<void> {
  const body = Buffer.from(JSON.stringify(publicationJson(publication)));
  await post(address, { type: 'application/json', body }, sending);
}

/** Send objects as SOIF for which `token` speaks. Throws as `publish` does. */
export async function publishSoif(address: string, soif: Uint8Array, sending: Sending): Promise<void> {
  await post(address, { type: 'application/x-soif', body: soif }, sending);
}
