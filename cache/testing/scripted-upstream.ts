import { GarnerError } from '../../kernel/index.ts';
import type { UpstreamRequest, UpstreamResponse } from '../requests/request-response.ts';
import { openUpstream, type UpstreamOptions } from '../upstream/upstream.ts';
import { type RawCall, rawOrigin } from './raw-origin.ts';

/** A GET to an origin, with what a test would have otherwise. */
export function requestFor(url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return {
    method: 'GET',
    url,
    fields: [],
    route: { to: 'origin' },
    signal: new AbortController().signal,
    ...more,
  };
}

/** A whole content, in latin1. */
export async function textOf(response: UpstreamResponse): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of response.content) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('latin1');
}

/** The result of one answer: its content, or the code of the error that ended it. */
export async function outcome(
  answer: (call: RawCall) => string | undefined,
  more: Partial<UpstreamRequest> = {},
  options: UpstreamOptions = {},
): Promise<string> {
  await using origin = await rawOrigin(answer);
  await using upstream = openUpstream({ allowHosts: [origin.url], ...options });
  try {
    return await textOf(await upstream.send(requestFor(`${origin.url}/`, more)));
  } catch (error) {
    if (error instanceof GarnerError) return error.code;
    throw error;
  }
}

/** An origin that says this to every request. */
export const says = (bytes: string) => () => bytes;
/** The same, and ends the connection. */
export const saysAndEnds = (bytes: string) => (call: RawCall) => {
  call.socket.end(Buffer.from(bytes, 'latin1'));
  return undefined;
};
