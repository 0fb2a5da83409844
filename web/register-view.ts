import { type Child, element, type ViewElement } from './client/element.ts';
import { shown } from './client/remote-text.ts';

/** The fields of the form, in their order. */
export const fieldNames = [
  'type',
  'url',
  'name',
  'description',
  'administrator',
  'location',
  'topics',
] as const;

/** What the form shows: what was sent and refused, or that it was taken. */
export interface Applying {
  readonly fields: Readonly<Record<string, string>>;
  readonly fault?: string;
  readonly isHeld?: boolean;
}

const types = {
  broker: 'Broker',
  gatherer: 'Gatherer',
  cache: 'Cache',
  replicator: 'Replicator',
  registry: 'Registry',
  tracker: 'Tracker',
  'oai-repository': 'OAI repository',
} as const;

function labelled(name: string, label: string, field: ViewElement, hint?: string): Child {
  return [
    element('label', { for: name }, label),
    hint !== undefined && element('p', { id: `${name}-hint`, class: 'quiet' }, hint),
    field,
  ];
}

/** The form for a server that does not register itself, below the box. */
export function registerView({ fields, fault, isHeld = false }: Applying): ViewElement {
  const input = (name: string, more: Readonly<Record<string, string | boolean | number>> = {}) =>
    element('input', {
      ...{ id: name, name, type: 'text', value: fields[name] ?? '', maxlength: 500, autocomplete: 'off' },
      ...more,
    });
  const wanted = fields.type ?? 'broker';
  return element(
    'div',
    { class: 'main status admin' },
    element('h1', {}, 'Add a server'),
    isHeld &&
      element(
        'p',
        { class: 'said', role: 'status' },
        'Thank you. An administrator decides about the application.',
      ),
    fault !== undefined && element('p', { class: 'fault', role: 'alert' }, shown(fault, 600)),
    element(
      'p',
      { class: 'quiet' },
      'For a server that does not register itself. It is listed as unsigned once an administrator has approved it. A Garner server needs no form: start it with ',
      element('code', {}, '--registry'),
      '.',
    ),
    element(
      'form',
      { method: 'post', action: 'register', class: 'act apply' },
      labelled(
        'type',
        'Type',
        element(
          'select',
          { id: 'type', name: 'type' },
          Object.entries(types).map(([value, label]) =>
            element('option', { value, selected: value === wanted }, label),
          ),
        ),
      ),
      labelled(
        'url',
        'Address',
        input('url', { type: 'url', required: true, maxlength: 2000, placeholder: 'https://' }),
      ),
      labelled('name', 'Name', input('name', { required: true })),
      labelled(
        'description',
        'Description',
        element(
          'textarea',
          { id: 'description', name: 'description', rows: 3, maxlength: 500 },
          fields.description ?? '',
        ),
      ),
      labelled('administrator', 'Administrator', input('administrator')),
      labelled('location', 'Location', input('location')),
      labelled(
        'topics',
        'Topics',
        input('topics', { 'aria-describedby': 'topics-hint' }),
        'Words with commas between them',
      ),
      element('button', {}, 'Apply'),
    ),
  );
}
