import type { RouteResponse } from '../http/index.ts';
import { type Clock, systemClock } from '../kernel/index.ts';
import { element } from './client/element.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';
import { readStatusDetails } from './status-data.ts';
import { statusView } from './status-view.ts';

export interface StatusPageOptions extends Site {
  readonly clock?: Clock;
}

/** The status page of an answer of the API, or that answer when it is no status; see `withStatusPage`. */
export function statusPage(options: StatusPageOptions): (answer: RouteResponse) => RouteResponse {
  const { clock = systemClock } = options;
  const frame = frameOf(options);
  return (answer) => {
    const details = readStatusDetails(answer.json);
    if (details === undefined) return answer;
    const main = [element('div', { class: 'filters' }), statusView(details, clock.now() / 1000)];
    const parts = { title: 'Status', skip: 'Skip to the status', current: 'status', main };
    return {
      headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: plainPage({ ...frame(), ...parts }),
    };
  };
}
