import { button, field, foreign, form, hidden } from './admin-parts.ts';
import { type Child, element, type ViewElement } from './client/element.ts';
import { shown } from './client/remote-text.ts';
import { isoTime } from './client/wording.ts';
import { wideTable } from './wide-table.ts';

/** A named token as the administration API lists it. */
export interface ListedToken {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Seconds since 1970; null for ever. */
  readonly expiresAt?: number | null;
}

/** A webhook as the administration API lists it. */
export interface ListedWebhook {
  readonly id: string;
  readonly url: string;
  readonly state: 'active' | 'paused';
  readonly error: string | null;
}

/** A view as the API lists it; `objects` is null while they are counted. */
export interface ListedView {
  readonly name: string;
  readonly query: string;
  readonly objects: number | null;
  /** Absent for a caller who may not see them. */
  readonly webhooks?: readonly ListedWebhook[];
}

/** Links to the parts of the page. */
export function tabsView(parts: readonly ViewElement[]): ViewElement {
  const links = parts.map(({ attributes, children }) => {
    const [heading] = children;
    const words = typeof heading === 'object' ? heading.children : [];
    return element('li', {}, element('a', { href: `admin#${attributes['aria-labelledby']}` }, words));
  });
  return element(
    'nav',
    { class: 'tabs', 'aria-label': 'Parts of the administration' },
    element('ul', {}, links),
  );
}

export function tokensView(tokens: readonly ListedToken[], formKey: string): Child {
  const rows = tokens.map(({ name, scopes, expiresAt }): readonly Child[] => [
    foreign(name, 80),
    scopes.join(', '),
    typeof expiresAt === 'number' ? isoTime(expiresAt) : 'never',
    form(formKey, hidden('name', name), button('token-remove', 'Revoke', name)),
  ]);
  return [
    rows.length > 0 && wideTable('Named tokens', ['Token', 'Scopes', 'Ends', 'Action'], rows),
    form(
      formKey,
      field('token-name', 'name', 'Name', { required: true }),
      field('token-scopes', 'scopes', 'scopes', { value: 'read', required: true }),
      field('token-end', 'end', 'until', { type: 'date' }),
      button('token-add', 'Make a token'),
    ),
  ];
}

export function viewsView(views: readonly ListedView[], formKey: string): Child {
  const rows = views.map(({ name, query, objects, webhooks = [] }, at): readonly Child[] => [
    foreign(name, 80),
    foreign(query),
    objects === null ? 'being counted' : objects.toLocaleString('en'),
    [
      webhooks.map((webhook) => webhookForm(name, webhook, formKey)),
      form(
        formKey,
        hidden('name', name),
        field(`hook${at}`, 'url', 'Send changes to', { placeholder: 'https://', required: true }),
        button('webhook-add', 'Add a webhook', name),
      ),
      form(formKey, hidden('name', name), button('view-remove', 'Remove', name)),
    ],
  ]);
  return [
    rows.length > 0 && wideTable('Views', ['View', 'Query', 'Objects', 'Actions'], rows),
    form(
      formKey,
      field('view-name', 'name', 'Name', { required: true }),
      field('view-query', 'query', 'query', { required: true }),
      button('view-add', 'Define a view'),
    ),
  ];
}

/** A webhook of a view, with its state and its buttons. */
function webhookForm(view: string, { id, url, state, error }: ListedWebhook, formKey: string): ViewElement {
  const why = error === null ? '' : `: ${shown(error, 200)}`;
  return form(
    formKey,
    [hidden('name', view), hidden('webhook', id)],
    [foreign(url), ' ', element('span', { class: 'quiet' }, state, why)],
    state === 'paused' && button('webhook-resume', 'Resume', url),
    button('webhook-remove', 'Remove the webhook', url),
  );
}

export function upkeepView(formKey: string): ViewElement {
  return form(
    formKey,
    button('clean', 'Remove expired objects'),
    button('compact', 'Compact the databases'),
    button('reindex', 'Rebuild the index'),
    button('check', 'Check store and index'),
    button('repair', 'Repair store and index'),
    button('duplicates', 'Count duplicates'),
    button('duplicates-delete', 'Delete older duplicates'),
  );
}
