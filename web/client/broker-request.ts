import { type Refusal, readRefusal } from './answers.ts';

/** Codes of the errors that the client itself finds; a Broker's refusal has a code of docs/errors.md. */
export type ClientErrorCode =
  | 'CLIENT_ADDRESS'
  | 'CLIENT_UNREACHABLE'
  | 'CLIENT_TIMEOUT'
  | 'CLIENT_TOO_LARGE'
  | 'CLIENT_ANSWER'
  | 'CLIENT_REFUSED';

const hints: Readonly<Record<ClientErrorCode, string>> = {
  CLIENT_ADDRESS: 'Give the http or https address of a Broker without a password: http://127.0.0.1:8501.',
  CLIENT_UNREACHABLE: 'Check the address, and whether the Broker runs. Then try again.',
  CLIENT_TIMEOUT: 'Try again later, or set a larger timeoutMs.',
  CLIENT_TOO_LARGE: 'Ask for fewer hits, or set a larger maxBytes.',
  CLIENT_ANSWER: 'Check that the address is that of a Broker, and that no proxy changes its answers.',
  CLIENT_REFUSED: 'Check the address and the token. A status of 500 or more may pass: try again later.',
};

/** Why there is no answer. Compare the `code`: codes never change, messages may. */
export class BrokerError extends Error {
  /** A `ClientErrorCode`, or the code of the Broker's refusal, such as `BROKER_QUERY`. */
  readonly code: string;
  /** One sentence: what to do. */
  readonly hint: string;
  /** The HTTP status of a refusal; null when there was no answer, or an unusable one. */
  readonly status: number | null;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;
  /** The server's own words for its refusal, where it gave any. */
  readonly refusal: Omit<Refusal, 'code'>;

  constructor(
    code: string,
    message: string,
    {
      hint = '',
      status = null,
      refusal = { message: '', hint: '' },
      cause,
    }: Partial<Pick<BrokerError, 'hint' | 'status' | 'refusal' | 'cause'>> = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BrokerError';
    this.code = code;
    this.hint = hint || (code in hints ? hints[code as ClientErrorCode] : hints.CLIENT_REFUSED);
    this.status = status;
    this.refusal = refusal;
    this.retry =
      code === 'CLIENT_UNREACHABLE' || code === 'CLIENT_TIMEOUT' || (status ?? 0) >= 500 || status === 429;
  }
}

/** One request with its bounds. */
export interface BrokerRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const maxRefusalBytes = 65_536;
const newline = 10;

async function* parts(response: Response): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) return;
    yield part.value;
  }
}

/** The Broker's refusal as an error; a body that is none of Garner's counts for nothing. */
async function refusalOf(url: URL, response: Response): Promise<BrokerError> {
  const { status } = response;
  const decoder = new TextDecoder();
  let body = '';
  for await (const part of parts(response)) {
    body += decoder.decode(part, { stream: true });
    if (body.length > maxRefusalBytes) break;
  }
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    json = undefined;
  }
  const { code, message, hint } = readRefusal(json);
  // Codes of this client are no server's.
  const known = code === '' || code.startsWith('CLIENT_') ? 'CLIENT_REFUSED' : code;
  const text = message || `${url.host} answered HTTP ${status}`;
  return new BrokerError(known, text, { hint, status, refusal: { message, hint } });
}

/**
 * The body of an answer in parts. `timeoutMs` bounds the whole, or, with `streams`, the wait for the end of a line.
 * Throws BrokerError, or the reason of the caller's signal. Ending the iteration ends the request.
 */
async function* received(
  { url, method, headers, signal, timeoutMs }: BrokerRequest,
  streams: boolean,
): AsyncGenerator<Uint8Array, void, undefined> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const stop = () => own.abort();
  let isLate = false;
  const expire = () => {
    isLate = true;
    own.abort();
  };
  signal?.addEventListener('abort', stop, { once: true });
  let timer = setTimeout(expire, timeoutMs);
  try {
    // A Broker never redirects: nothing leads a program to another address.
    const response = await fetch(url, { method, headers, signal: own.signal, redirect: 'error' });
    if (!response.ok) throw await refusalOf(url, response);
    for await (const part of parts(response)) {
      const hasLine = streams && part.includes(newline);
      if (hasLine) clearTimeout(timer);
      yield part;
      if (hasLine) timer = setTimeout(expire, timeoutMs);
    }
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof BrokerError) throw cause;
    if (isLate) throw new BrokerError('CLIENT_TIMEOUT', `${url.host} did not answer within ${timeoutMs} ms`);
    throw new BrokerError('CLIENT_UNREACHABLE', `no answer came from ${url.host}: ${reasonOf(cause)}`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    own.abort();
  }
}

/** The innermost message: fetch wraps the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

const tooLarge = ({ url, maxBytes }: BrokerRequest, what: string) =>
  new BrokerError('CLIENT_TOO_LARGE', `${what} of ${url.host} is over ${maxBytes} bytes`);

function parsed<Value>(
  { url }: BrokerRequest,
  text: string,
  read: (json: unknown) => Value | undefined,
): Value {
  const unusable = (cause?: unknown) =>
    new BrokerError('CLIENT_ANSWER', `the answer of ${url.host} to ${url.pathname} cannot be read`, {
      cause,
    });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw unusable(cause);
  }
  const value = read(json);
  if (value === undefined) throw unusable();
  return value;
}

/** A JSON answer as `read` makes it. Throws BrokerError, or the signal's reason. */
export async function requestJson<Answer>(
  request: BrokerRequest,
  read: (json: unknown) => Answer | undefined,
): Promise<Answer> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of received(request, false)) {
    bytes += part.length;
    if (bytes > request.maxBytes) throw tooLarge(request, 'the answer');
    text += decoder.decode(part, { stream: true });
  }
  return parsed(request, text + decoder.decode(), read);
}

/** An answer of JSON lines, each as `read` makes it; `maxBytes` bounds a line. Throws like `requestJson`. */
export async function* requestLines<Line>(
  request: BrokerRequest,
  read: (json: unknown) => Line | undefined,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const part of received(request, true)) {
    const [first = '', ...others] = decoder.decode(part, { stream: true }).split('\n');
    begun += first;
    for (const next of others) {
      yield parsed(request, begun, read);
      begun = next;
    }
    if (begun.length > request.maxBytes) throw tooLarge(request, 'a line');
  }
  begun += decoder.decode();
  if (begun !== '') yield parsed(request, begun, read);
}
