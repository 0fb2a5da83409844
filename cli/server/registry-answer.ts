import { brokerErrors } from '../../broker/errors.ts';
import { type Fetch, readBody } from '../../fetch/index.ts';
import { httpErrors } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { registryErrors } from '../../registry/errors.ts';
import { cliErrors } from '../config/errors.ts';
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
 * The JSON of a Registry at a path of its API. Throws REGISTRY_REFUSED with the Registry's code, reason and hint,
 * CLI_USAGE with the reason where it refuses a value, and REGISTRY_REMOTE when the answer is not one of a Registry.
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
  const { pathname } = new URL(base);
  // A Broker or Gatherer answers so, and a Registry below a path that it has not.
  if (code === httpErrors.HTTP_NOT_FOUND.code)
    throw strange(
      pathname === '/'
        ? `another server listens there, which has no ${path.replace(/\?.*/s, '')}`
        : `nothing is served below its path ${pathname}; leave the path out unless a proxy adds it`,
    );
  const why = foreign(message);
  // The Registry names its HTTP parameters, which are options here.
  if (code === brokerErrors.BROKER_QUERY.code || code === httpErrors.HTTP_BAD_PARAMETER.code)
    throw failure(cliErrors.CLI_USAGE, {
      problem: `the Registry at ${address} answers: ${why}`,
      help: 'the verb with --help lists its options and their values',
    });
  const isUnknown = token !== undefined && response.status === 401;
  const needsToken = response.status === 401 || response.status === 403;
  throw failure(registryErrors.REGISTRY_REFUSED, {
    ...{
      address,
      code: foreign(code),
      why: isUnknown ? 'it does not know the token, or that has expired' : why,
    },
    hint: isUnknown
      ? 'GARNER_REGISTRY_TOKEN holds a token that is not valid there: set it to one of that Registry'
      : needsToken && token === undefined && !path.startsWith('/control/')
        ? 'set GARNER_REGISTRY_TOKEN to a token of that Registry'
        : needsToken
          ? 'set GARNER_REGISTRY_TOKEN to a token of scope admin of that Registry'
          : foreign(hint).replace(/garner registry (?:list|describe|approve)/g, `$& --registry ${address}`),
  });
}
