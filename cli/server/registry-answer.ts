import { type Fetch, readBody } from '../../fetch/index.ts';
import { httpErrors } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';
import { terminalSafe } from '../text/output.ts';

const maxAnswerBytes = 64 * 1024 * 1024;

/** A call of a Registry's API; a GET when nothing else is said. */
export interface RegistryCall {
  readonly method?: 'GET' | 'POST';
  /** Sent as JSON with POST. */
  readonly json?: unknown;
  /** Sent to the Registry of `--registry`. */
  readonly token?: string;
  /** A list that the answer of a Registry has. */
  readonly list?: string;
}

const maxTextLength = 300;

/** A text of a stranger: one line without control characters, cut; empty where it is no text. */
const foreign = (value: unknown) =>
  typeof value === 'string' ? terminalSafe(value).slice(0, maxTextLength) : '';

/**
 * The JSON of a Registry at a path of its API. Throws REGISTRY_REFUSED with the Registry's code, reason and hint, and
 * REGISTRY_REMOTE when the answer is not one of a Registry.
 */
export async function registryAnswer(
  address: string,
  path: string,
  { method = 'GET', json: sent, token, list }: RegistryCall,
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
  const answer = (json ?? {}) as Readonly<Record<string, unknown>>;
  if (response.status >= 200 && response.status < 300) {
    if (list !== undefined && !Array.isArray(answer[list])) throw strange(`its answer has no ${list}`);
    return json;
  }
  const { code, message, hint } = (answer.error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof message !== 'string') throw strange(`status ${response.status}`);
  // A Broker or Gatherer answers so.
  if (code === httpErrors.HTTP_NOT_FOUND.code)
    throw strange(`another server listens there, which has no ${path.replace(/\?.*/s, '')}`);
  const needsToken = path.startsWith('/control/') && (response.status === 401 || response.status === 403);
  throw failure(registryErrors.REGISTRY_REFUSED, {
    ...{ address, code: foreign(code), why: foreign(message) },
    hint: needsToken
      ? 'set GARNER_REGISTRY_TOKEN to an administration token of that Registry'
      : foreign(hint),
  });
}
