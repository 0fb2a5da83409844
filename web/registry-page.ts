import type { RouteRequest, RouteResponse } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import type { Api } from './api.ts';
import { type Address, isAsked, readAddress, searchPath } from './client/address.ts';
import { type Child, element } from './client/element.ts';
import { type Failure, refused, silent, unreadable } from './client/failure.ts';
import { troubleView } from './client/notice-view.ts';
import { plainPage } from './page.ts';
import { readFederated, readServers } from './registry-data.ts';
import { federatedView, serversView } from './registry-view.ts';
import { frameOf, type Site } from './site.ts';

/** The reader whose request a call of the API serves. */
type Reader = Pick<RouteRequest, 'client' | 'signal'>;

export interface RegistryPageOptions extends Site {
  /** The Registry's HTTP API, called for the reader of the page; the page uses nothing else. */
  readonly api: (path: string, reader: Reader) => ReturnType<Api>;
  readonly clock?: Clock;
}

/** The page of a Registry: a box that searches the objects of all registered Brokers, and the servers. */
export function registryPage(
  options: RegistryPageOptions,
): (request: Reader & Pick<RouteRequest, 'url'>) => Promise<RouteResponse> {
  const { api, clock = systemClock } = options;
  const frame = frameOf({ title: 'Registry', ...options });
  return async ({ url, client, signal }) => {
    const at = url.indexOf('?');
    const address = readAddress(at < 0 ? '' : url.slice(at));
    const { status, content } = await contentFor(
      (path) => api(path, { signal, ...(client !== undefined && { client }) }),
      address,
      clock.now() / 1000,
    );
    const asked = isAsked(address);
    const main = [element('div', { class: 'filters' }), element('div', { class: 'main' }, content)];
    return {
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: plainPage({
        ...{ ...frame(), current: './', address, main },
        title: asked ? address.query.trim() : '',
        skip: asked ? 'Skip to the results' : 'Skip to the servers',
      }),
    };
  };
}

async function contentFor(
  api: Api,
  address: Address,
  now: number,
): Promise<{ readonly status: number; readonly content: Child }> {
  const failed = (status: number, trouble: Failure) => ({
    status,
    content: troubleView(trouble, address, false),
  });
  let answer: Awaited<ReturnType<Api>>;
  try {
    answer = await api(
      isAsked(address) ? `/${searchPath(address).replace(/^search\?/, 'federated?')}` : '/servers',
    );
  } catch {
    // The cause is the API's to report; the reader needs a page that says what to do.
    return failed(503, silent);
  }
  const { status, json } = answer;
  if (status < 200 || status > 299) return failed(status < 400 ? 502 : status, refused(status, json));
  if (!isAsked(address)) {
    const servers = readServers(json);
    return servers === undefined
      ? failed(502, unreadable)
      : { status: 200, content: serversView(servers, now) };
  }
  const federated = readFederated(json);
  return federated === undefined
    ? failed(502, unreadable)
    : { status: 200, content: federatedView(federated, address, now) };
}
