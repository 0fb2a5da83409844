import type { RouteRequest, RouteResponse } from '../http/index.ts';
import { formatDuration } from '../kernel/index.ts';
import type { Api } from './api.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { refused } from './client/failure.ts';
import { type BrokerObject, type NamedServer, readObject } from './client/object-answers.ts';
import { blanked, crumbs, safeHref, shown } from './client/remote-text.ts';
import { day, isoTime, size } from './client/wording.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';

export interface SummaryPageOptions extends Site {
  /** The Broker's HTTP API; the page uses nothing else. */
  readonly api: Api;
}

// A longer value is cut; the SOIF has all of it.
const maxValue = 20_000;
/** A longer value is folded. */
const shownAtOnce = 600;
const maxAttributes = 500;

const time = (value: string) => {
  const at = /^\d{1,12}$/.test(value) ? isoTime(Number(value)) : undefined;
  return at === undefined ? value : `${day(Number(value))}, ${at.slice(11, 16)} UTC`;
};
const period = (value: string) => (/^\d{1,12}$/.test(value) ? formatDuration(Number(value)) : value);
const bytes = (value: string) => (/^\d{1,15}$/.test(value) ? size(Number(value)) : value);

/** Attributes of every summary in plain words, with the form of their values. */
const known = new Map<string, readonly [words: string, form?: (value: string) => string]>([
  ['title', ['Title']],
  ['type', ['Type']],
  ['file-size', ['Size', bytes]],
  ['last-modification-time', ['Document changed', time]],
  ['update-time', ['Summary made', time]],
  ['time-to-live', ['Kept without an update for', period]],
  ['refresh-rate', ['Renewed every', period]],
  ['md5', ['MD5 of the document']],
  ['full-text', ['Text']],
  ['partial-text', ['Best sentences']],
  ['url-references', ['Links to']],
  ['heading-anchors', ['Identifiers of the headings']],
  ['gatherer-host', ['Host of the Gatherer']],
  ['gatherer-name', ['Name of the Gatherer']],
  ['gatherer-version', ['Version of the Gatherer']],
]);

/** `GET /summary?oid=...`: a summary object as a page. Links only: it needs no script. */
export function summaryPage(options: SummaryPageOptions): (request: RouteRequest) => Promise<RouteResponse> {
  const { api } = options;
  const frame = frameOf(options);
  return async ({ query }) => {
    const oid = (query.oid ?? '').slice(0, 100);
    const { status, json } = await api(`/objects/${encodeURIComponent(oid)}`);
    const object = status === 200 ? readObject(json) : undefined;
    const shownFrame = frame();
    const main = object === undefined ? missingView(refused(status, json)) : summaryView(object);
    return {
      status: object === undefined && status === 200 ? 502 : status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: plainPage({
        ...{ ...shownFrame, skip: 'Skip to the summary' },
        modules: shownFrame.assets.modules('copy.js'),
        title: object === undefined ? 'Summary' : titleOf(object),
        main: [element('div', { class: 'filters' }), main],
      }),
    };
  };
}

function missingView({ what, cure }: { readonly what: string; readonly cure: string }): ViewElement {
  return element(
    'div',
    { class: 'main status' },
    element('h1', {}, 'Summary'),
    element('p', { class: 'fault', role: 'alert' }, `${what}. ${cure}`),
  );
}

function titleOf({ attributes, url }: BrokerObject): string {
  const title = attributes.find(({ name }) => name.toLowerCase() === 'title')?.value;
  return (typeof title === 'string' ? shown(title) : '') || shown(url);
}

/** A button that a script shows, where a page may copy. */
const copyButton = (words: string, what: Readonly<Record<string, string>>) =>
  element('button', { type: 'button', hidden: true, ...what }, words);

/** Author, title, address and date of a document, in one line. */
function citation(object: BrokerObject): string {
  const value = (wanted: string) => {
    const found = object.attributes.find(({ name }) => name.toLowerCase() === wanted)?.value;
    return typeof found === 'string' ? shown(found, 200) : '';
  };
  const changed = Number(value('last-modification-time'));
  const date = changed > 0 ? day(changed) : '';
  return [value('author'), titleOf(object), date, shown(object.url, 2000)]
    .filter((part) => part !== '')
    .join('. ');
}

function summaryView(object: BrokerObject): ViewElement {
  const { oid, url, attributes, origin } = object;
  const href = safeHref(url);
  const server = ({ serverId, name }: NamedServer) => element('bdi', {}, shown(name ?? serverId, 80));
  const path = origin?.path ?? [];
  return element(
    'div',
    { class: 'main status summary-page' },
    element('h1', {}, element('bdi', {}, titleOf(object))),
    element('p', { class: 'crumbs' }, element('bdi', {}, crumbs(url, '').join(' › '))),
    element(
      'ul',
      { class: 'facts' },
      href !== undefined &&
        element('li', {}, element('a', { href, rel: 'noopener noreferrer' }, 'Open the document')),
      element('li', {}, element('a', { href: `objects/${encodeURIComponent(oid)}?format=soif` }, 'SOIF')),
    ),
    element(
      'p',
      { class: 'copy' },
      element('label', { for: 'link' }, 'Link'),
      element('input', { id: 'link', value: shown(url, 8192), readonly: true, spellcheck: 'false' }),
      copyButton('Copy the link', { 'data-copy': url }),
      copyButton('Copy as a citation', { 'data-copy': citation(object) }),
      copyButton('Copy the SOIF', { 'data-copy-from': `objects/${encodeURIComponent(oid)}?format=soif` }),
    ),
    origin !== null && [
      element('h2', {}, 'Where it comes from'),
      element('p', {}, 'Summarised by ', server(origin.publisher), '.'),
      path.length > 1 && [
        element('p', {}, 'It came by these servers:'),
        element(
          'ol',
          {},
          path.map((one) => element('li', {}, server(one))),
        ),
      ],
    ],
    element('h2', {}, 'What the summary says'),
    element(
      'table',
      { class: 'attributes' },
      element('caption', { class: 'unseen' }, 'Attributes of the summary'),
      element(
        'thead',
        { class: 'unseen' },
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, 'Attribute'),
          element('th', { scope: 'col' }, 'Value'),
        ),
      ),
      element(
        'tbody',
        {},
        attributes
          .slice(0, maxAttributes)
          .map(({ name, value }) =>
            element(
              'tr',
              {},
              element('th', { scope: 'row' }, element('bdi', { title: shown(name, 100) }, wordsOf(name))),
              element(
                'td',
                { dir: 'auto' },
                typeof value === 'string' ? valueView(name, value) : bytesView(value),
              ),
            ),
          ),
      ),
    ),
    attributes.length > maxAttributes && element('p', {}, 'The SOIF has more attributes.'),
  );
}

const wordsOf = (name: string) => known.get(name.toLowerCase())?.[0] ?? shown(name.replaceAll('-', ' '), 100);

const bytesView = ({ length }: Uint8Array): ViewElement =>
  element('span', { class: 'quiet' }, `${size(length)} that are not text`);

/** A value: each of its lines is an entry of a list, so that no line can look like another attribute. */
function valueView(name: string, value: string): Child {
  const form = known.get(name.toLowerCase())?.[1];
  if (form !== undefined) return shown(form(value.trim()));
  const kept = value.slice(0, maxValue).replace(/[\ud800-\udbff]$/, '');
  const lines = kept.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/).map((line) => blanked(line).trim());
  const view =
    lines.length === 1
      ? lines[0]
      : element(
          'ul',
          { class: 'lines' },
          lines.filter((line) => line !== '').map((line) => element('li', {}, line)),
        );
  const rest = value.length - kept.length;
  const whole = [view, rest > 0 && element('p', { class: 'quiet' }, 'The SOIF has all of it.')];
  if (value.length <= shownAtOnce) return whole;
  const lead = `${shown(kept.slice(0, 120), 100)}`;
  return element('details', {}, element('summary', {}, lead), whole);
}
