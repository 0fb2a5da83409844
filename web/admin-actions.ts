import { parseDuration } from '../kernel/index.ts';
import type { AdminCall } from './admin-api.ts';
import { applicationActions } from './applications-view.ts';

type Fields = Pick<URLSearchParams, 'get'>;

/** The API call of a button of the page, and the message when it is done. */
interface Action {
  call(fields: Fields): AdminCall;
  said(answer: unknown): string;
}

const source = (fields: Fields) => `/control/sources/${encodeURIComponent(fields.get('source') ?? '')}`;
const trimmed = (fields: Fields, name: string) => (fields.get(name) ?? '').trim();

/** `5m`, `2h`, `30d` or bare seconds as seconds; other text unchanged, which the API refuses. */
function secondsIn(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : (parseDuration(text) ?? text);
}

function interval(fields: Fields): { readonly intervalSeconds?: number | string } {
  const text = trimmed(fields, 'interval');
  return text === '' ? {} : { intervalSeconds: secondsIn(text) };
}

function deletion(fields: Fields, dryRun: boolean): AdminCall {
  const atMost = Number(fields.get('atMost'));
  return {
    method: 'POST',
    path: '/control/deletions',
    json: {
      query: fields.get('query') ?? '',
      reason: fields.get('reason') ?? '',
      forGood: fields.get('forGood') === '1',
      dryRun,
      // The query may find more by now than the dry run did.
      ...(dryRun ? {} : { atMost }),
    },
  };
}

/** A setting's value as its kind wants it. */
function settingValue(fields: Fields): unknown {
  const text = trimmed(fields, 'value');
  if (fields.get('kind') === 'duration') return secondsIn(text);
  return fields.get('kind') === 'list' ? text.split(/[\s,]+/).filter((one) => one !== '') : text;
}

const numberIn = (answer: unknown, name: string) =>
  Number((answer as Readonly<Record<string, unknown>>)[name]).toLocaleString('en');

const textIn = (answer: unknown, name: string) =>
  String((answer as Readonly<Record<string, unknown>>)[name] ?? '');
/** Max URLs that a message names. */
const maxNamed = 5;

/** The number of duplicates, and the first of them. */
function duplicatesIn(answer: unknown): string {
  const { urls = [] } = answer as { readonly urls?: readonly { readonly url: string }[] };
  const first = urls.slice(0, maxNamed).map(({ url }) => url);
  return [urls.length.toLocaleString('en'), ...first].join(' ');
}
/** The beginning of a day as the end of a token. */
function expiry(fields: Fields): { readonly expiresAt?: number | string } {
  const day = trimmed(fields, 'end');
  const at = Date.parse(day);
  return day === '' ? {} : { expiresAt: Number.isNaN(at) ? day : at / 1000 };
}

const webhook = (fields: Fields) =>
  `/views/${named(fields)}/webhooks/${encodeURIComponent(fields.get('webhook') ?? '')}`;
const named = (fields: Fields) => encodeURIComponent(trimmed(fields, 'name'));
const words = (text: string) => text.split(/[\s,]+/).filter((one) => one !== '');

/** Every button by its value. */
export const actions: Readonly<Record<string, Action>> = {
  ...applicationActions,
  'source-add': {
    call: (fields) => {
      const query = trimmed(fields, 'query');
      return {
        method: 'POST',
        path: '/control/sources',
        json: {
          source: trimmed(fields, 'address'),
          ...interval(fields),
          ...(query !== '' && { filter: { query } }),
        },
      };
    },
    said: () => 'The source was added.',
  },
  'source-pause': {
    call: (fields) => ({ method: 'PUT', path: source(fields), json: { paused: true } }),
    said: () => 'The source is paused.',
  },
  'source-resume': {
    call: (fields) => ({ method: 'PUT', path: source(fields), json: { paused: false } }),
    said: () => 'The source was resumed.',
  },
  'source-set': {
    call: (fields) => {
      const { intervalSeconds = null } = interval(fields);
      return { method: 'PUT', path: source(fields), json: { intervalSeconds } };
    },
    said: () => 'The time between rounds was set.',
  },
  'source-collect': {
    call: (fields) => ({
      method: 'POST',
      path: `/control/collect?source=${encodeURIComponent(fields.get('source') ?? '')}`,
    }),
    said: (answer) => {
      const { rounds } = answer as { readonly rounds: readonly { learned: number; forgotten: number }[] };
      const sum = (of: 'learned' | 'forgotten') => rounds.reduce((all, round) => all + round[of], 0);
      return `Collected: ${sum('learned')} learned, ${sum('forgotten')} forgotten.`;
    },
  },
  'source-remove': {
    call: (fields) => ({ method: 'DELETE', path: source(fields) }),
    said: () => 'The source was removed. Its objects stay until they expire.',
  },
  'source-forget': {
    call: (fields) => ({ method: 'DELETE', path: `${source(fields)}?forget=1` }),
    said: () => 'The source was removed. The objects that only it offered are deleted.',
  },
  look: { call: (fields) => deletion(fields, true), said: () => 'Nothing has been deleted yet.' },
  delete: {
    call: (fields) => deletion(fields, false),
    said: (answer) => `Deleted: ${numberIn(answer, 'deleted')}.`,
  },
  unblock: {
    call: (fields) => ({
      method: 'DELETE',
      path: `/control/blocked/${encodeURIComponent(fields.get('oid') ?? '')}`,
    }),
    said: () => 'The object will be collected again at the next round with its source.',
  },
  set: {
    call: (fields) => ({
      method: 'PUT',
      path: `/control/settings/${encodeURIComponent(fields.get('key') ?? '')}`,
      json: { value: settingValue(fields) },
    }),
    said: () => 'The setting was changed.',
  },
  unset: {
    call: (fields) => ({
      method: 'PUT',
      path: `/control/settings/${encodeURIComponent(fields.get('key') ?? '')}`,
      json: { value: null },
    }),
    said: () => 'The configuration applies to this setting again.',
  },
  clean: {
    call: () => ({ method: 'POST', path: '/control/clean' }),
    said: (answer) => `Expired: ${numberIn(answer, 'expired')}.`,
  },
  compact: {
    call: () => ({ method: 'POST', path: '/control/compact' }),
    said: () => 'The databases were compacted.',
  },
  reindex: {
    call: () => ({ method: 'POST', path: '/control/reindex' }),
    said: () => 'The index is being rebuilt.',
  },
  'token-add': {
    call: (fields) => ({
      method: 'POST',
      path: '/control/tokens',
      json: {
        ...{ name: trimmed(fields, 'name'), scopes: words(trimmed(fields, 'scopes')) },
        ...expiry(fields),
      },
    }),
    said: (answer) => `The token, shown only now: ${textIn(answer, 'token')}`,
  },
  'token-remove': {
    call: (fields) => ({ method: 'DELETE', path: `/control/tokens/${named(fields)}` }),
    said: () => 'The token was revoked.',
  },
  'view-add': {
    call: (fields) => ({
      method: 'PUT',
      path: `/views/${named(fields)}`,
      json: { query: trimmed(fields, 'query') },
    }),
    said: () => 'The view was defined.',
  },
  'view-remove': {
    call: (fields) => ({ method: 'DELETE', path: `/views/${named(fields)}` }),
    said: () => 'The view and its webhooks were removed.',
  },
  'webhook-add': {
    call: (fields) => ({
      method: 'POST',
      path: `/views/${named(fields)}/webhooks`,
      json: { url: trimmed(fields, 'url') },
    }),
    said: (answer) => `The secret that signs its messages, shown only now: ${textIn(answer, 'secret')}`,
  },
  'webhook-resume': {
    call: (fields) => ({ method: 'POST', path: `${webhook(fields)}/resume` }),
    said: () => 'The webhook was resumed.',
  },
  'webhook-remove': {
    call: (fields) => ({ method: 'DELETE', path: webhook(fields) }),
    said: () => 'The webhook was removed.',
  },
  repair: {
    call: () => ({ method: 'POST', path: '/control/check?repair=1' }),
    said: (answer) =>
      (answer as { readonly ok?: boolean }).ok === true
        ? 'Store and index are free of faults.'
        : 'What can be repaired was repaired: check again.',
  },
  check: {
    call: () => ({ method: 'POST', path: '/control/check' }),
    said: (answer) =>
      (answer as { readonly ok?: boolean }).ok === true
        ? 'Store and index are free of faults.'
        : 'The check found faults: garner broker check lists them, and Repair repairs them.',
  },
  duplicates: {
    call: () => ({ method: 'POST', path: '/control/duplicates' }),
    said: (answer) => `URLs under several Gatherers: ${duplicatesIn(answer)}.`,
  },
  'duplicates-delete': {
    call: () => ({ method: 'POST', path: '/control/duplicates?delete=1' }),
    said: (answer) => `Older summaries deleted: ${numberIn(answer, 'deleted')}.`,
  },
};
