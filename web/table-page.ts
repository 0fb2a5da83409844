import type { Route } from '../http/index.ts';
import type { Api } from './api.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { refused, unreadable } from './client/failure.ts';
import { safeHref, shown } from './client/remote-text.ts';
import { count } from './client/wording.ts';
import { plainPage } from './page.ts';
import { frameOf, type Site } from './site.ts';
import { type PlotKind, plotView } from './table-plot.ts';

/** What the page needs of a table: every text fit to be shown. */
interface TableData {
  readonly url: string;
  readonly tables: readonly string[];
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
  readonly total: number;
  readonly of: number;
  readonly whole: boolean;
  readonly points: readonly { readonly label: string; readonly value: number }[];
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const text = (value: unknown) => (typeof value === 'string' ? shown(value, 500) : '');
const amount = (value: unknown) => (typeof value === 'number' && value >= 0 ? value : 0);

/** Read what `/objects/OID/table` answered; undefined when it is no such answer. */
function readTable(json: unknown): TableData | undefined {
  if (!isFields(json) || !Array.isArray(json.columns) || !Array.isArray(json.rows)) return undefined;
  return {
    url: typeof json.url === 'string' ? json.url.slice(0, 2000) : '',
    tables: list(json.tables).slice(0, 100).map(text),
    table: text(json.table),
    columns: json.columns.slice(0, 200).map((column) => ({
      name: isFields(column) ? text(column.name) : '',
      numeric: isFields(column) && column.numeric === true,
    })),
    rows: json.rows.slice(0, 100).map((row) => list(row).slice(0, 200).map(text)),
    total: amount(json.total),
    of: amount(json.of),
    whole: json.whole === true,
    points: list(json.points)
      .slice(0, 500)
      .flatMap((point) =>
        isFields(point) && typeof point.value === 'number' && Number.isFinite(point.value)
          ? [{ label: text(point.label), value: point.value }]
          : [],
      ),
  };
}

export interface TablePageOptions extends Site {
  /** The Broker's HTTP API; the page uses nothing else. */
  readonly api: Api;
}

const rowsOnPage = 100;
const plotKinds: readonly PlotKind[] = ['line', 'bar'];

/** What the page's address holds. */
interface TableAddress {
  readonly oid: string;
  readonly table: string;
  readonly sort: string;
  readonly descending: boolean;
  readonly column: string;
  readonly where: string;
  readonly x: string;
  readonly y: string;
  readonly kind: PlotKind;
  readonly offset: number;
}

function readTableAddress(url: string): TableAddress {
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const text = (name: string) => (parameters.get(name) ?? '').slice(0, 500);
  const from = text('from');
  return {
    ...{ oid: text('oid'), table: text('table'), sort: text('sort'), descending: text('desc') === '1' },
    ...{ column: text('column'), where: text('where'), x: text('x'), y: text('y') },
    kind: plotKinds.find((kind) => kind === text('kind')) ?? 'line',
    offset: /^\d{1,6}$/.test(from) ? Math.max(0, Number(from) - 1) : 0,
  };
}

function apiPath(address: TableAddress): string {
  const { oid, table, sort, descending, column, where, x, y, offset } = address;
  const parameters = new URLSearchParams({ limit: String(rowsOnPage), offset: String(offset) });
  for (const [name, value] of Object.entries({ table, sort, x, y }))
    if (value !== '') parameters.set(name, value);
  if (descending) parameters.set('desc', '1');
  if (column !== '' && where !== '') parameters.set('where', `${column}:${where}`);
  return `/objects/${encodeURIComponent(oid)}/table?${parameters}`;
}

function href(address: TableAddress, change: Partial<TableAddress>): string {
  const { oid, table, sort, descending, column, where, x, y, kind, offset } = { ...address, ...change };
  const parameters = new URLSearchParams({ oid });
  for (const [name, value] of Object.entries({ table, sort, column, where, x, y }))
    if (value !== '') parameters.set(name, value);
  if (descending) parameters.set('desc', '1');
  if (y !== '') parameters.set('kind', kind);
  if (offset > 0) parameters.set('from', String(offset + 1));
  return `./table?${parameters}`;
}

/** The page of a document's tables; see `tablePageRoute`. */
export function tablePage(options: TablePageOptions): Route['handle'] {
  const { api } = options;
  const frame = frameOf(options);
  return async ({ url }) => {
    const address = readTableAddress(url);
    const { status, json } = await api(apiPath(address));
    const data = status < 300 ? readTable(json) : undefined;
    const main = data === undefined ? troubleViews(status, json) : tableViews(address, data);
    const content = [
      element('div', { class: 'filters' }, data && formView(address, data)),
      element('div', { class: 'main status' }, main),
    ];
    const parts = { title: 'Table', skip: 'Skip to the table', main: content };
    return {
      status: data === undefined && status < 300 ? 502 : status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' },
      body: plainPage({ ...frame(), ...parts }),
    };
  };
}

function troubleViews(status: number, json: unknown): Child {
  const { what, cure } = status < 300 ? unreadable : refused(status, json);
  return [element('h1', {}, what), element('p', {}, cure)];
}

function formView(address: TableAddress, data: TableData): ViewElement {
  const names = data.columns.map(({ name }) => name);
  const numeric = data.columns.filter((column) => column.numeric).map(({ name }) => name);
  const select = (name: string, label: string, values: readonly string[], chosen: string, none?: string) => [
    element('label', { for: `t-${name}` }, label),
    element(
      'select',
      { id: `t-${name}`, name },
      none !== undefined && element('option', { value: '' }, none),
      values.map((value) => element('option', { value, selected: value === chosen }, value)),
    ),
  ];
  return element(
    'form',
    { class: 'ask', action: './table', method: 'get' },
    element('input', { type: 'hidden', name: 'oid', value: address.oid }),
    data.tables.length > 1 && select('table', 'Table', data.tables, data.table),
    select('column', 'Only rows where', names, address.column, 'any column'),
    element('label', { for: 't-where', class: 'unseen' }, 'contains, or is more or less than'),
    element('input', { id: 't-where', name: 'where', value: address.where, placeholder: 'text, or > 5' }),
    select('sort', 'Sorted by', names, address.sort, 'as in the document'),
    element(
      'label',
      {},
      element('input', { type: 'checkbox', name: 'desc', value: '1', checked: address.descending }),
      ' largest first',
    ),
    select('y', 'Plot', numeric, address.y, 'nothing'),
    select('x', 'along', names, address.x, 'row numbers'),
    select('kind', 'as', plotKinds, address.kind),
    element('button', {}, 'Show'),
  );
}

function tableViews(address: TableAddress, data: TableData): Child {
  const link = safeHref(data.url);
  const shown =
    data.total === data.of
      ? count(data.of, 'row')
      : `${data.total.toLocaleString('en')} of ${count(data.of, 'row')}`;
  const along = address.x === '' ? '' : ` along ${address.x}`;
  return [
    element('h1', {}, data.tables.length > 1 ? data.table : 'Table'),
    element(
      'p',
      { class: 'quiet' },
      link === undefined ? data.url : element('a', { href: link, rel: 'noopener noreferrer' }, data.url),
    ),
    element('p', { class: 'quiet' }, shown, !data.whole && ', the first that fit here'),
    plotView(data.points, address.kind, `${address.y}${along}`),
    element(
      'div',
      { class: 'wide', tabindex: 0, role: 'region', 'aria-label': 'Rows' },
      element(
        'table',
        { class: 'rows' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            data.columns.map((column) => headingView(address, column.name)),
          ),
        ),
        element(
          'tbody',
          {},
          data.rows.map((row) =>
            element(
              'tr',
              {},
              data.columns.map((column, index) =>
                element('td', { class: column.numeric ? 'objects' : undefined }, row[index] ?? ''),
              ),
            ),
          ),
        ),
      ),
    ),
    pagesView(address, data),
  ];
}

/** A column's name sorts by it; once more the other way round. */
function headingView(address: TableAddress, name: string): ViewElement {
  const sorted = address.sort === name;
  const to = href(address, { sort: name, descending: sorted && !address.descending, offset: 0 });
  const order = address.descending ? 'descending' : 'ascending';
  return element(
    'th',
    { scope: 'col', 'aria-sort': sorted && order },
    element('a', { href: to }, name || '–'),
  );
}

function pagesView(address: TableAddress, { total }: TableData): ViewElement | undefined {
  if (total <= rowsOnPage) return undefined;
  const { offset } = address;
  const link = (words: string, rel: string, to: number) =>
    element('a', { href: href(address, { offset: to }), rel }, words);
  return element(
    'nav',
    { class: 'pages', 'aria-label': 'Pages of rows' },
    element('span', {}, offset > 0 && link('← Previous', 'prev', Math.max(0, offset - rowsOnPage))),
    element('span', { class: 'quiet' }, `from row ${(offset + 1).toLocaleString('en')}`),
    element('span', {}, offset + rowsOnPage < total && link('Next →', 'next', offset + rowsOnPage)),
  );
}
