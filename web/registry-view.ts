import type { Address } from './client/address.ts';
import { pagesView } from './client/content-view.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { noResultView, suggestionView } from './client/notice-view.ts';
import { safeHref } from './client/remote-text.ts';
import { resultView } from './client/result-view.ts';
import { age, count, duration } from './client/wording.ts';
import type { AskedBroker, FederatedAnswer, ShownServer } from './registry-data.ts';
import { wideTable } from './wide-table.ts';

const typeWords: Readonly<Record<string, string>> = { 'OAI-REPOSITORY': 'OAI repository' };

const typeWord = (type: string) => typeWords[type] ?? `${type.charAt(0)}${type.slice(1).toLowerCase()}`;

function linked(url: string, words: string): Child {
  const href = safeHref(url);
  const name = element('bdi', {}, words);
  return href === undefined ? name : element('a', { href, rel: 'noopener noreferrer' }, name);
}

/** Every server of the directory as a table. */
export function serversView(servers: readonly ShownServer[], now: number): ViewElement {
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
    server.state === 'live' ? 'live' : element('span', { class: 'warning' }, 'late'),
    server.claim === 'unproved' ? element('span', { class: 'warning' }, server.claim) : server.claim,
    age(server.updatedAt, now),
    element('bdi', {}, server.location),
    element('bdi', {}, server.administrator),
  ]);
  const heads = ['Name', 'Type', 'Objects', 'State', 'Address', 'Renewed', 'Location', 'Administrator'];
  return element(
    'section',
    {},
    element('h1', { class: 'count' }, count(servers.length, 'server')),
    wideTable('Servers', heads, rows, [2]),
    add,
  );
}

/** Brokers without an answer, each with the reason. */
function missingView(brokers: readonly AskedBroker[]): ViewElement | undefined {
  const missing = brokers.filter(({ error }) => error !== '');
  if (missing.length === 0) return undefined;
  return element(
    'div',
    { class: 'notice', role: 'note' },
    element('p', {}, `${count(missing.length, 'Broker')} of ${brokers.length} did not answer:`),
    element(
      'ul',
      {},
      missing.map(({ url, name, error }) => element('li', {}, linked(url, name), `: ${error}`)),
    ),
  );
}

/** One ranked list of the objects of several Brokers. */
export function federatedView(
  { answer, hits, brokers }: FederatedAnswer,
  address: Address,
  now: number,
): Child {
  const missing = missingView(brokers);
  if (answer.total === 0) return [missing, noResultView(answer, address)];
  const nameOf = new Map(brokers.map(({ url, name }) => [url, name]));
  const answered = brokers.filter(({ error }) => error === '').length;
  return [
    element(
      'h1',
      { class: 'count', tabindex: -1 },
      count(answer.total, 'result'),
      element(
        'span',
        { class: 'took' },
        ` of ${answered} of ${count(brokers.length, 'Broker')} in ${duration(answer.tookMs)}`,
      ),
    ),
    missing,
    suggestionView(answer, address),
    element(
      'ol',
      { class: 'results', start: Math.min(address.offset + 1, answer.total) },
      hits.map(({ hit, broker }) =>
        resultView(hit, { now, broker: { url: broker, name: nameOf.get(broker) ?? broker } }),
      ),
    ),
    pagesView(answer, address),
  ];
}
