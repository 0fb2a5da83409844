import type { Address } from './client/address.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { noResultView, suggestionView } from './client/notice-view.ts';
import { pagesView } from './client/page-links.ts';
import { safeHref } from './client/remote-text.ts';
import { resultView } from './client/result-view.ts';
import { age, count, duration } from './client/wording.ts';
import type { FederatedAnswer, ShownServers } from './registry-data.ts';
import { wideTable } from './wide-table.ts';

const typeWords: Readonly<Record<string, string>> = { 'OAI-REPOSITORY': 'OAI repository' };

/** Of a server that has never answered. */
export const unreachedWords = 'not reached yet';

export const typeWord = (type: string) =>
  typeWords[type] ?? `${type.charAt(0)}${type.slice(1).toLowerCase()}`;

export function linked(url: string, words: string): Child {
  const href = safeHref(url);
  const name = element('bdi', {}, words);
  return href === undefined ? name : element('a', { href, rel: 'noopener noreferrer' }, name);
}

/** Every server of the directory as a table. */
export function serversView({ servers, total }: ShownServers, now: number): ViewElement {
  const add = element('p', { class: 'more' }, element('a', { href: 'register' }, 'Add a server'));
  if (servers.length === 0)
    return element(
      'section',
      {},
      element('h1', { class: 'count' }, 'No server has registered yet'),
      element(
        'p',
        {},
        'A server registers when it is started with ',
        element('code', {}, '--registry'),
        ' and the address of this page.',
      ),
      add,
    );
  const rows = servers.map((server): readonly Child[] => [
    linked(server.url, server.name),
    typeWord(server.type),
    server.objects === null ? '' : server.objects.toLocaleString('en'),
    server.state === 'live'
      ? 'live'
      : element('span', { class: 'warning' }, server.isUnreached ? unreachedWords : 'late'),
    server.claim === 'unproved' ? element('span', { class: 'warning' }, server.claim) : server.claim,
    server.isUnreached ? '' : age(server.updatedAt, now),
    element('bdi', {}, server.location),
    element('bdi', {}, server.administrator),
  ]);
  const heads = ['Name', 'Type', 'Objects', 'State', 'Address', 'Renewed', 'Location', 'Administrator'];
  return element(
    'section',
    {},
    element('h1', { class: 'count' }, count(total, 'server')),
    total > servers.length &&
      element('p', {}, `The first ${count(servers.length, 'server')} by name are shown here.`),
    wideTable('Servers', heads, rows, [2]),
    add,
  );
}

/** A note with Brokers that are missing in the answer, each with the reason. */
function missingView(
  head: string,
  brokers: readonly { readonly url: string; readonly name: string; readonly why: string }[],
  more = 0,
): ViewElement | undefined {
  if (brokers.length === 0) return undefined;
  return element(
    'div',
    { class: 'notice', role: 'note' },
    element('p', {}, head),
    element(
      'ul',
      {},
      brokers.map(({ url, name, why }) => element('li', {}, linked(url, name), `: ${why}`)),
      more > 0 && element('li', {}, `and ${more.toLocaleString('en')} more`),
    ),
  );
}

/** Omitted Brokers that the page names. */
const maxOmitted = 5;

/** The Brokers without an answer, and those that were not asked. */
function missingViews({ brokers, omitted, omittedTotal }: FederatedAnswer): Child {
  const silent = brokers.filter(({ error }) => error !== '').map((one) => ({ ...one, why: one.error }));
  const shown = omitted.slice(0, maxOmitted);
  return [
    missingView(`${count(silent.length, 'Broker')} of ${brokers.length} did not answer:`, silent),
    missingView(
      `${count(omittedTotal, 'more Broker')} ${omittedTotal === 1 ? 'was' : 'were'} not asked:`,
      shown,
      omittedTotal - shown.length,
    ),
  ];
}

/** One ranked list of the objects of several Brokers. */
export function federatedView(federated: FederatedAnswer, address: Address, now: number): Child {
  const { answer, hits, brokers, coverage } = federated;
  const missing = missingViews(federated);
  const covered = ` of ${coverage.answered} of ${count(coverage.asked, 'Broker')}`;
  const spoken = element(
    'p',
    { class: 'unseen', role: 'status', 'aria-live': 'polite' },
    `${answer.total === 0 ? 'No result' : count(answer.total, 'result')}${covered}`,
  );
  if (answer.total === 0) return [spoken, missing, noResultView(answer, address)];
  const nameOf = new Map(brokers.map(({ url, name }) => [url, name]));
  const brokerOf = (url: string) => ({ url, name: nameOf.get(url) ?? url });
  return [
    spoken,
    element(
      'h1',
      { class: 'count', tabindex: -1 },
      count(answer.total, 'result'),
      element('span', { class: 'took' }, `${covered} in ${duration(answer.tookMs)}`),
    ),
    missing,
    suggestionView(answer, address),
    element(
      'ol',
      { class: 'results', start: Math.min(address.offset + 1, answer.total) },
      hits.map(({ hit, broker, alsoAt }) =>
        resultView(hit, { now, broker: { ...brokerOf(broker), others: alsoAt.map(brokerOf) } }),
      ),
    ),
    pagesView(answer, address),
  ];
}
