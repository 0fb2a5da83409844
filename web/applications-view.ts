import type { Application } from '../registry/index.ts';
import type { AdminCall } from './admin-api.ts';
import { button, foreign, form, hidden, timeView } from './admin-parts.ts';
import { type Child, element } from './client/element.ts';
import { wideTable } from './wide-table.ts';

type Fields = Pick<URLSearchParams, 'get'>;

const decision =
  (path = '') =>
  (fields: Fields): AdminCall => ({
    method: 'POST',
    path: `/control/applications/${encodeURIComponent(fields.get('application') ?? '')}${path}`,
  });

/** The buttons of the applications. */
export const applicationActions = {
  'application-approve': { call: decision(), said: () => 'The server is listed as unsigned.' },
  'application-refuse': { call: decision('/refusal'), said: () => 'The application was refused.' },
} as const;

/** The applications for foreign servers, each with its buttons. */
export function applicationsView(applications: readonly Application[], formKey: string, now: number): Child {
  if (applications.length === 0) return element('p', { class: 'quiet' }, 'No application waits.');
  const rows = applications.map((application): readonly Child[] => {
    const { id, at, client, type, url, name, description, administrator, location, topics } = application;
    return [
      // Not a link: nobody has looked at this address yet.
      [foreign(name), element('br'), element('span', { class: 'quiet' }, foreign(url, 300))],
      foreign(type.toLowerCase(), 40),
      foreign([description, topics].filter((text) => text !== '').join('; '), 600),
      foreign([administrator, location].filter((text) => text !== '').join('; '), 600),
      [timeView(at, now), element('br'), element('span', { class: 'quiet' }, foreign(client, 60))],
      form(
        formKey,
        hidden('application', id),
        button('application-approve', 'Approve', name),
        button('application-refuse', 'Refuse', name),
      ),
    ];
  });
  const heads = ['Server', 'Type', 'Description', 'Administrator', 'Sent', 'Actions'];
  return wideTable('Held applications', heads, rows);
}
