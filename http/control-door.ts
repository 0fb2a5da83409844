import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { type Clock, failure, type GarnerError, isGarnerError, systemClock } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import { exitHeader } from './failure-answer.ts';
import { fallsSilent, patienceMs } from './holder-watch.ts';
import { pinnedConnection } from './pinned-connection.ts';

/** The address of the process that holds a store; it is written to a file beside the store. */
export interface ControlDoor {
  /** `http://127.0.0.1:PORT`, or with `https:` where the process serves TLS. */
  readonly address: string;
  readonly token: string;
  /** The only certificates (PEM) that the process may present over `https:`; two while it changes them. */
  readonly certificates?: readonly string[];
}

export interface ControlCall {
  readonly method?: 'GET' | 'POST' | 'DELETE' | 'PUT';
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly signal?: AbortSignal;
  /** Max bytes of the answer; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Measures the silence of the holder; the machine's when absent. */
  readonly clock?: Clock;
  /** Take the answer whatever its status, such as the report of a server that is not well. */
  readonly takesRefusal?: boolean;
}

/**
 * Send a request to the holder of a store, for its JSON (or the text of any other answer). It may take as long as the
 * holder answers other requests. Throws the holder's own errors, HTTP_HOLDER_REFUSED where it gives no reason,
 * HTTP_HOLDER_GONE, HTTP_HOLDER_SILENT, HTTP_HOLDER_GARBLED, the signal's reason.
 */
export async function callControl(door: ControlDoor, path: string, call: ControlCall = {}): Promise<unknown> {
  const { address } = door;
  const [ended, silent] = [new AbortController(), new AbortController()];
  const ask = async (signal: AbortSignal) => (await send(door, '/health', { signal })).resume();
  const watching = fallsSilent(ask, call.clock ?? systemClock, ended.signal).then((isSilent) => {
    if (isSilent)
      silent.abort(failure(httpErrors.HTTP_HOLDER_SILENT, { address, seconds: patienceMs / 1000 }));
  });
  const signal = call.signal === undefined ? silent.signal : AbortSignal.any([call.signal, silent.signal]);
  try {
    return await answerOf(door, path, { ...call, signal });
  } finally {
    ended.abort();
    await watching;
  }
}

async function answerOf(door: ControlDoor, path: string, call: ControlCall): Promise<unknown> {
  const { address } = door;
  const holderGone = (cause: unknown) => {
    call.signal?.throwIfAborted();
    return failure(httpErrors.HTTP_HOLDER_GONE, { address }, cause);
  };
  const response = await send(door, path, call).catch((error) => Promise.reject(holderGone(error)));
  const body = await collect(response, address, call.maxBytes ?? 64 * 1024 * 1024).catch((error) => {
    throw isGarnerError(error) ? error : holderGone(error);
  });
  const status = response.statusCode ?? 0;
  const isJson = response.headers['content-type']?.startsWith('application/json') === true;
  const answer = isJson ? parse(body, address) : body;
  if (status < 400 || call.takesRefusal === true) return answer;
  const exit = Number(response.headers[exitHeader] ?? 1);
  throw holdersError(answer, { address, status, exit });
}

async function send(door: ControlDoor, path: string, call: ControlCall): Promise<IncomingMessage> {
  const body = call.json === undefined ? undefined : JSON.stringify(call.json);
  const url = new URL(path, door.address);
  // The token must not reach another server: over TLS only the announced certificate is trusted.
  const pinned =
    url.protocol === 'https:' && (await pinnedConnection(url, door.certificates ?? [], call.signal));
  const request = pinned ? tlsRequest : plainRequest;
  return new Promise((resolve, reject) => {
    request(url, {
      method: call.method ?? 'GET',
      headers: {
        authorization: `Bearer ${door.token}`,
        accept: 'application/json',
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      },
      // One call a process: a persistent connection would only delay its end.
      ...(pinned ? { createConnection: () => pinned } : { agent: false }),
      ...(call.signal !== undefined && { signal: call.signal }),
    })
      .once('response', resolve)
      .once('error', reject)
      .end(body);
  });
}

const garbled = (address: string, problem: string, cause?: unknown) =>
  failure(httpErrors.HTTP_HOLDER_GARBLED, { address, problem }, cause);

async function collect(response: IncomingMessage, address: string, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).byteLength;
    if (size > maxBytes) throw garbled(address, `it is larger than ${maxBytes} bytes`);
  }
  return Buffer.concat(chunks).toString();
}

function parse(body: string, address: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw garbled(address, 'it is not JSON', error);
  }
}

/** The holder's error, as the same call without a holder throws it. */
function holdersError(
  answer: unknown,
  { address, status, exit }: { readonly address: string; readonly status: number; readonly exit: number },
): GarnerError {
  const { error } = (answer ?? {}) as { readonly error?: Readonly<Record<string, unknown>> };
  const { code, message, hint } = error ?? {};
  if (typeof code !== 'string' || typeof message !== 'string' || typeof hint !== 'string')
    return failure(httpErrors.HTTP_HOLDER_REFUSED, { address, status });
  const own = { code, message: () => message, hint: () => hint, exit, status, retry: 'never' } as const;
  return failure(own, { address });
}
