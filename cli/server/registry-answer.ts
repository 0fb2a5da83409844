import { type Fetch, readBody } from '../../fetch/index.ts';
import { failure } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';

const maxAnswerBytes = 64 * 1024 * 1024;

/** A call of a Registry's API; a GET when nothing else is said. */
export interface RegistryCall {
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON with POST. */
  readonly json?: unknown;
  /** Sent to the Registry of `--registry`. */
  readonly token?: string;
}

/**
 * The JSON of a Registry at a path of its API. Throws REGISTRY_REFUSED with the Registry's reason, and REGISTRY_REMOTE
 * when its answer is none.
 */
export async function registryAnswer(
  address: string,
  path: string,
  { method = 'GET', json: sent, token }: RegistryCall,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<unknown> {
  const base = address.endsWith('/') ? address : `${address}/`;
  await using response = await fetch({
    ...{ url: new URL(path.slice(1), base).href, maxBytes: maxAnswerBytes, signal },
    ...{ method, redirect: 'manual' },
    headers: {
      accept: 'application/json',
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(sent !== undefined && { body: Buffer.from(JSON.stringify(sent)) }),
  });
  const text = Buffer.from(await readBody(response)).toString();
  const strange = (why: string) => failure(registryErrors.REGISTRY_REMOTE, { address, why });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // A proxy in front of a server that is away answers with a page.
    throw strange(
      response.status < 400 ? 'its answer is not JSON' : `it answers with status ${response.status}`,
    );
  }
  if (response.status >= 200 && response.status < 300) return json;
  const { error } = (json ?? {}) as { readonly error?: { readonly message?: unknown } };
  if (typeof error?.message !== 'string') throw strange(`status ${response.status}`);
  throw failure(registryErrors.REGISTRY_REFUSED, { address, why: error.message.slice(0, 300) });
}
