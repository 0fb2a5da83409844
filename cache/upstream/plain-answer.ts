import { Readable } from 'node:stream';
import type { UpstreamResponse } from '../requests/index.ts';
import { type RawFields, withoutConnectionFields } from '../rules/index.ts';
import type { PlainReply } from './plain-connection.ts';

const none: RawFields = [];

/** A response that was read without Node's parser. */
export class PlainAnswer implements UpstreamResponse {
  readonly status: number;
  readonly reason: string;
  readonly fields: RawFields;
  readonly contentLength?: number;
  readonly whole: Uint8Array | undefined;
  #content: Readable | undefined;

  constructor({ head, content }: Extract<PlainReply, { kind: 'response' }>) {
    this.status = head.status;
    this.reason = head.reason;
    this.fields = withoutConnectionFields(head.raw);
    if (head.length !== undefined) this.contentLength = head.length;
    if (content instanceof Uint8Array) this.whole = content;
    else this.#content = content;
  }

  get content(): Readable {
    this.#content ??= readableOf(this.whole ?? new Uint8Array());
    return this.#content;
  }

  trailers(): RawFields {
    return none;
  }
}

function readableOf(bytes: Uint8Array): Readable {
  return new Readable({
    read() {
      if (bytes.length > 0) this.push(bytes);
      this.push(null);
    },
  });
}
