import { type Fetch, readBody } from '../../fetch/index.ts';
import { failure } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';

const maxAnswerBytes = 64 * 1024 * 1024;

/** The JSON of a Registry at a path of its API. Throws REGISTRY_REMOTE when its answer is none. */
export async function registryAnswer(
  address: string,
  path: string,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal: AbortSignal },
): Promise<unknown> {
  const base = address.endsWith('/') ? address : `${address}/`;
  await using response = await fetch({
    ...{ url: new URL(path.slice(1), base).href, maxBytes: maxAnswerBytes, signal },
    headers: { accept: 'application/json' },
  });
  const text = Buffer.from(await readBody(response)).toString();
  const strange = (why: string) => failure(registryErrors.REGISTRY_REMOTE, { address, why });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw strange('its answer is not JSON');
  }
  if (response.status === 200) return json;
  const { error } = (json ?? {}) as { readonly error?: { readonly message?: unknown } };
  throw strange(
    typeof error?.message === 'string' ? error.message.slice(0, 300) : `status ${response.status}`,
  );
}
