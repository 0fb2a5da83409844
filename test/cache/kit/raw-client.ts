import { type Agent, request as startRequest } from 'node:http';
import { type Line, linesOf } from './scripted-origin.ts';

/** A client's request. */
export interface Ask {
  /** GET when absent. */
  readonly method?: string;
  readonly fields?: readonly Line[];
  readonly body?: string;
  /** Reuses connections; absent: one connection only for this request. */
  readonly agent?: Agent;
}

/** An interim response. */
export interface Interim {
  readonly status: number;
  readonly rawFields: readonly string[];
}

/** A response as received. */
export class Received {
  readonly status: number;
  readonly rawFields: readonly string[];
  readonly body: string;
  readonly interim: readonly Interim[];
  /** Names and values behind the content. */
  readonly trailers: readonly string[];
  /** The connection ended before the response did; `status` is 0 when not even its head came. */
  readonly isCut: boolean;

  constructor(parts: Omit<Received, 'lines' | 'line' | 'age' | 'seconds'>) {
    this.status = parts.status;
    this.rawFields = parts.rawFields;
    this.body = parts.body;
    this.interim = parts.interim;
    this.trailers = parts.trailers;
    this.isCut = parts.isCut;
  }

  lines(name: string): string[] {
    return linesOf(this.rawFields, name);
  }

  /** The lines of a name, joined; undefined when there is none. */
  line(name: string): string | undefined {
    const lines = this.lines(name);
    return lines.length === 0 ? undefined : lines.join(', ');
  }

  /** The Age field as a number; undefined when there is none, NaN when it is no number. */
  get age(): number | undefined {
    const age = this.line('age');
    if (age === undefined) return undefined;
    return /^\d+$/.test(age) ? Number(age) : Number.NaN;
  }
}

/** Send one request; `target` is a path, or a whole URL for a proxy. */
export function ask(
  port: number,
  target: string,
  { method = 'GET', fields = [], body, agent }: Ask = {},
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const interim: Interim[] = [];
    const host = target.startsWith('/') ? `127.0.0.1:${port}` : new URL(target).host;
    const length: Line[] = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
    const request = startRequest({
      host: '127.0.0.1',
      port,
      path: target,
      method,
      agent: agent ?? false,
      headers: [['Host', host], ...length, ...fields].flat(),
    });
    request.on('information', ({ statusCode, rawHeaders }) => {
      interim.push({ status: statusCode, rawFields: rawHeaders });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error);
      else resolve(new Received({ status: 0, rawFields: [], body: '', interim, trailers: [], isCut: true }));
    });
    request.on('response', (response) => {
      let text = '';
      const finish = (isCut: boolean) =>
        resolve(
          new Received({
            status: response.statusCode ?? 0,
            rawFields: response.rawHeaders,
            body: text,
            interim,
            trailers: response.rawTrailers,
            isCut,
          }),
        );
      response.setEncoding('latin1');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', () => finish(true));
      response.on('end', () => finish(false));
    });
    request.end(body);
  });
}
