import type { FetchResponse } from '../client/index.ts';

/** A complete response. Protocols without headers make it from a file. */
export function wholeResponse(
  url: string,
  status: number,
  parts: {
    readonly body?: Uint8Array;
    readonly lastModified?: number;
    readonly etag?: string;
    readonly contentType?: string;
  },
): FetchResponse {
  const { body = new Uint8Array(), lastModified, etag, contentType } = parts;
  return {
    url,
    redirects: [],
    status,
    headers: contentType === undefined ? {} : { 'content-type': contentType },
    notModified: status === 304,
    etag,
    lastModified,
    contentType,
    location: undefined,
    body: inOnePiece(body),
    wireBytes: body.length,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}
