import { type Address, isAsked, searchPath } from './client/address.ts';
import { readBrokerStatus, readSearchAnswer } from './client/answers.ts';
import type { SearchModel } from './client/content-view.ts';
import { type Failure, refused, silent, unreadable } from './client/failure.ts';

/** The HTTP API as everyone has it, called with a path such as `/search?q=x`; in one process without a socket. */
export type Api = (path: string) => Promise<{ readonly status: number; readonly json: unknown }>;

/** What the API said for one state of the page, read and raw; the browser reads the raw form again. */
export interface Asked {
  readonly status: number;
  readonly json: unknown;
  readonly model: Pick<SearchModel, 'answer' | 'status' | 'trouble'>;
}

/** Ask what the page needs for an address: results for a query, the Broker's status for the first visit. */
export async function askFor(api: Api, address: Address): Promise<Asked> {
  const asked = isAsked(address);
  const failed = (status: number, trouble: Failure, json?: unknown): Asked => ({
    status,
    json,
    model: { answer: undefined, status: undefined, trouble },
  });
  let response: Awaited<ReturnType<Api>>;
  try {
    response = await api(asked ? `/${searchPath(address)}` : '/status');
  } catch {
    // The cause is the API's to report; the reader needs a page that says what to do.
    return failed(503, silent);
  }
  const { status, json } = response;
  if (status < 200 || status > 299) return failed(status < 400 ? 502 : status, refused(status, json), json);
  const answer = asked ? readSearchAnswer(json) : undefined;
  const brokerStatus = asked ? undefined : readBrokerStatus(json);
  if (answer === undefined && brokerStatus === undefined) return failed(502, unreadable);
  // Of a status only what this page shows: the rounds of all sources would be most of its weight.
  return {
    status: 200,
    json: answer === undefined ? brokerStatus : json,
    model: { answer, status: brokerStatus, trouble: undefined },
  };
}
