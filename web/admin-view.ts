import type {
  AuditEntry,
  Block,
  ListedSource,
  LiveSetting,
  RecentLine,
  Statistics,
} from '../broker/index.ts';
import { formatDuration } from '../kernel/index.ts';
import type { AdminNews, AdminParts } from './admin-api.ts';
import { tabsView, tokensView, upkeepView, viewsView } from './admin-orders-view.ts';
import { button, field, foreign, form, hidden, part, timeView } from './admin-parts.ts';
import { applicationsView } from './applications-view.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { shown } from './client/remote-text.ts';
import { count, size } from './client/wording.ts';
import { wideTable } from './wide-table.ts';

/** What the page is drawn from. */
export interface AdminModel {
  readonly parts: AdminParts;
  readonly news: AdminNews;
  /** The name of the caller. */
  readonly who: string;
  readonly formKey: string;
  /** Seconds since 1970. */
  readonly now: number;
}

/** The administration page below the box. */
export function adminView(model: AdminModel): ViewElement {
  const { parts, news, who, formKey, now } = model;
  const { sources, blocked, settings, statistics, lines, entries, applications } = parts;
  const { tokens, views } = parts;
  const shownParts = [
    applications && part('applications', 'Applications', applicationsView(applications, formKey, now)),
    sources && part('sources', 'Sources', sourcesView(sources, formKey, now), addView(formKey)),
    part('deletion', 'Delete objects', deletionView(news, formKey)),
    blocked && part('blocked', 'Blocked objects', blockedView(blocked, formKey, now)),
    views && part('views', 'Views and webhooks', viewsView(views, formKey)),
    tokens && part('tokens', 'Tokens', tokensView(tokens, formKey)),
    settings && part('settings', 'Settings', settingsView(settings, formKey)),
    statistics && part('statistics', 'Statistics', statisticsView(statistics)),
    settings && part('upkeep', 'Upkeep', upkeepView(formKey)),
    entries && part('audit', 'Audit', auditView(entries, now)),
    lines && part('log', 'Log', logView(lines, now)),
  ].filter((one) => one !== undefined);
  return element(
    'div',
    { class: 'main status admin' },
    element('h1', {}, 'Administration'),
    element(
      'form',
      { method: 'post', action: 'admin/logout', class: 'act' },
      hidden('formKey', formKey),
      element('span', { class: 'quiet' }, 'Logged in with the token ', foreign(who)),
      element('button', {}, 'Log out'),
    ),
    newsView(news),
    tabsView(shownParts),
    shownParts,
  );
}

/** The page before a login. */
export function loginView(role: 'broker' | 'registry', fault: string | undefined): ViewElement {
  return element(
    'div',
    { class: 'main status admin login' },
    element('h1', {}, 'Administration'),
    fault !== undefined && element('p', { class: 'fault', role: 'alert' }, fault),
    element(
      'form',
      { method: 'post', action: 'admin/login', class: 'act' },
      element('label', { for: 'token' }, 'Token'),
      element('input', {
        ...{ id: 'token', name: 'token', type: 'password', autocomplete: 'current-password' },
        ...{ required: true, autofocus: true, maxlength: 512 },
      }),
      element('button', {}, 'Log in'),
    ),
    element(
      'p',
      { class: 'quiet' },
      'A token of scope admin or write: one of http.admin-tokens, or one from ',
      element('code', {}, `garner ${role} token add NAME --scope admin`),
      ' on the machine of the server, with its --data.',
    ),
  );
}

function newsView({ said, fault }: AdminNews): Child {
  return [
    said !== undefined && element('p', { class: 'said', role: 'status' }, shown(said, 400)),
    fault !== undefined && element('p', { class: 'fault', role: 'alert' }, shown(fault, 600)),
  ];
}

function sourcesView(sources: readonly ListedSource[], formKey: string, now: number): Child {
  if (sources.length === 0) return element('p', { class: 'quiet' }, 'No sources.');
  const rows = sources.map((source, at): readonly Child[] => {
    const { url, name, state, error, objects, lastLearnedAt, from } = source;
    return [
      [foreign(name, 80), element('br'), element('span', { class: 'quiet' }, foreign(url))],
      [state, error !== null && [': ', foreign(error)]],
      objects.toLocaleString('en'),
      lastLearnedAt === null ? 'never' : timeView(lastLearnedAt, now),
      foreign(from, 80),
      sourceForm(source, `source${at}`, formKey),
    ];
  });
  return wideTable('Every source', ['Source', 'State', 'Objects', 'Learned', 'Added in', 'Actions'], rows);
}

function sourceForm(
  { url, name, kind, paused, intervalSeconds }: ListedSource,
  id: string,
  formKey: string,
): Child {
  const forget = button('source-forget', 'Remove and forget', name);
  if (kind === 'former') return form(formKey, hidden('source', url), forget);
  // A form of its own: Enter in the field means its button.
  const pace = form(
    formKey,
    hidden('source', url),
    field(`${id}-every`, 'interval', 'every', { value: formatDuration(intervalSeconds ?? 0), size: '5' }),
    button('source-set', 'Set', `interval of ${name}`),
  );
  const states = form(
    formKey,
    hidden('source', url),
    !paused && button('source-collect', 'Collect now', name),
    paused ? button('source-resume', 'Resume', name) : button('source-pause', 'Pause', name),
    kind === 'added' && [button('source-remove', 'Remove', name), forget],
  );
  return [states, pace];
}

function addView(formKey: string): ViewElement {
  return form(
    formKey,
    field('address', 'address', 'Add', { placeholder: 'wss://www.example.org', required: true }),
    field('address-query', 'query', 'only objects that match', { placeholder: 'all objects' }),
    field('address-interval', 'interval', 'every', { placeholder: '5m', size: '5' }),
    button('source-add', 'Add the source'),
  );
}

function deletionView({ look }: AdminNews, formKey: string): Child {
  const { query = '', reason = '', forGood = false } = look ?? {};
  return [
    form(
      formKey,
      field('query', 'query', 'Query', { value: query, required: true }),
      field('reason', 'reason', 'Reason', { value: reason }),
      element('input', { type: 'checkbox', id: 'for-good', name: 'forGood', value: '1', checked: forGood }),
      element('label', { for: 'for-good' }, 'keep changed versions out too'),
      button('look', 'Show what would be deleted'),
    ),
    look !== undefined && lookView(look, formKey),
  ];
}

function lookView(
  { report, query, reason, forGood }: NonNullable<AdminNews['look']>,
  formKey: string,
): Child {
  const { found, sample, understood } = report;
  const rows = sample.map(({ title, url }): readonly Child[] => [foreign(title), foreign(url)]);
  return [
    element('h3', {}, `${count(found, 'object')} would be deleted`),
    understood !== null && element('p', { class: 'quiet' }, 'Understood as ', foreign(understood)),
    rows.length > 0 && wideTable('First objects to be deleted', ['Title', 'URL'], rows),
    found > 0 &&
      form(
        formKey,
        [hidden('query', query), hidden('reason', reason), hidden('forGood', forGood ? '1' : '')],
        hidden('atMost', String(found)),
        button('delete', `Delete ${count(found, 'object')}`),
      ),
  ];
}

function blockedView(
  { total, blocked }: { readonly total: number; readonly blocked: readonly Block[] },
  formKey: string,
  now: number,
): Child {
  if (total === 0) return element('p', { class: 'quiet' }, 'Nothing is blocked.');
  const rows = blocked.map(({ oid, url, isForGood, reason, by, at }): readonly Child[] => [
    foreign(url),
    isForGood ? 'for good' : 'until it changes',
    foreign(reason),
    [foreign(by, 80), ' ', timeView(at, now)],
    form(formKey, hidden('oid', oid), button('unblock', 'Unblock', url)),
  ]);
  return [
    element('p', { class: 'quiet' }, `${count(total, 'object')} deleted by hand and not collected again.`),
    wideTable('Blocked objects', ['URL', 'Until', 'Reason', 'By', 'Action'], rows),
  ];
}

function settingsView(settings: readonly LiveSetting[], formKey: string): ViewElement {
  const rows = settings.map(({ key, kind, describe, value, from }, at): readonly Child[] => [
    [key, element('br'), element('span', { class: 'quiet' }, describe)],
    foreign(from, 80),
    form(
      formKey,
      [hidden('key', key), hidden('kind', kind)],
      element('label', { for: `setting${at}`, class: 'unseen' }, key),
      element('input', {
        ...{ id: `setting${at}`, name: 'value', autocomplete: 'off', size: '8' },
        value: kind === 'duration' ? formatDuration(Number(value)) : [value].flat().join(', '),
      }),
      button('set', 'Set', key),
      from === 'set here' && button('unset', 'As configured', key),
    ),
  ]);
  return wideTable('Settings that can be changed', ['Setting', 'From', 'Value'], rows);
}

function statisticsView(statistics: Statistics): Child {
  const {
    objects,
    summaryBytes,
    bySource,
    byType,
    byLanguage,
    byAge,
    sampled,
    index,
    queries,
    duplicateUrls,
  } = statistics;
  const counts = (label: string, rows: readonly (readonly [string, number])[]) =>
    rows.length > 0 &&
    wideTable(
      label,
      [label, 'Objects'],
      rows.map(([name, number]) => [foreign(name, 80), number.toLocaleString('en')]),
    );
  const of = sampled < objects ? `, of a sample of ${count(sampled, 'object')}` : '';
  return [
    element(
      'p',
      { class: 'quiet' },
      `${count(objects, 'object')}, ${size(summaryBytes)} of summaries; ${count(index.objects, 'object')} in the index, ${count(index.behind, 'change')} behind; ${count(queries.answered, 'query', 'queries')} answered, ${queries.withoutResult} without result, ${queries.meanMs} ms on average.`,
    ),
    duplicateUrls > 0 &&
      element(
        'p',
        {},
        `${count(duplicateUrls, 'URL')} under several Gatherers: `,
        element('code', {}, 'garner broker duplicates'),
        ' lists them, and can delete the older summaries.',
      ),
    counts(
      'By source',
      bySource.map(({ name, count: number }) => [name, number] as const),
    ),
    counts(
      'By type',
      byType.map(({ value, count: number }) => [value, number] as const),
    ),
    counts(
      'By language',
      byLanguage.map(({ value, count: number }) => [value, number] as const),
    ),
    counts(
      `By age of the summary${of}`,
      byAge.map(
        ({ upTo, count: number }) =>
          [upTo === null ? 'older' : `up to ${formatDuration(upTo)}`, number] as const,
      ),
    ),
  ];
}

function auditView(entries: readonly AuditEntry[], now: number): Child {
  const rows = entries.map(({ at, who, action, detail, outcome, note }): readonly Child[] => [
    timeView(at / 1000, now),
    foreign(who, 80),
    foreign(`${action} ${detail}`.trim(), 300),
    [outcome, note !== '' && [': ', foreign(note, 300)]],
  ]);
  return wideTable('Audit, newest first', ['Time', 'Caller', 'Action', 'Outcome'], rows);
}

function logView(lines: readonly RecentLine[], now: number): Child {
  if (lines.length === 0) return element('p', { class: 'quiet' }, 'No log lines yet.');
  const rows = lines.map(({ at, level, event, data }): readonly Child[] => [
    timeView(at / 1000, now),
    level,
    event,
    foreign(JSON.stringify(data), 300),
  ]);
  return wideTable('Log, newest first', ['Time', 'Level', 'Event', 'Data'], rows);
}
