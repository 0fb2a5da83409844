import { type Fetch, readBody } from '../fetch/index.ts';
import { failure } from '../kernel/index.ts';
import { publicationErrors } from './errors.ts';
import { type Publication, publicationJson } from './publication.ts';

const maxAnswerBytes = 64 * 1024;

/** The message of a server's error, where its answer has one. */
function messageOf(answer: string): string | undefined {
  try {
    const { error } = JSON.parse(answer) as { readonly error?: { readonly message?: unknown } };
    return typeof error?.message === 'string' ? error.message.slice(0, 500) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Send a publication to the server at `address`, such as `http://127.0.0.1:8502/`. Throws PUBLICATION_FAILED with
 * the server's reason when it refuses, and FETCH_* when it does not answer.
 */
export async function publish(
  address: string,
  publication: Publication,
  { fetch, signal, token }: { readonly fetch: Fetch; readonly signal?: AbortSignal; readonly token?: string },
): Promise<void> {
  const base = address.endsWith('/') ? address : `${address}/`;
  await using response = await fetch({
    ...{ url: new URL('publish', base).href, method: 'POST', redirect: 'manual', maxBytes: maxAnswerBytes },
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json' },
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: Buffer.from(JSON.stringify(publicationJson(publication))),
    signal,
  });
  const answer = Buffer.from(await readBody(response)).toString();
  const { status } = response;
  if (status !== 200)
    throw failure(publicationErrors.PUBLICATION_FAILED, {
      ...{ address, status },
      reason: messageOf(answer) ?? `it answers with status ${status}`,
      retryAfter: response.headers['retry-after'],
    });
}
