import { type Child, element, type ViewElement } from './client/element.ts';
import { shown } from './client/remote-text.ts';
import { age, isoTime } from './client/wording.ts';

/** A text from elsewhere, isolated from the text direction around it. */
export function foreign(text: string, limit = 200): ViewElement {
  return element('bdi', {}, shown(text, limit));
}

export function timeView(seconds: number, now: number): ViewElement {
  return element('time', { datetime: isoTime(seconds), title: isoTime(seconds) }, age(seconds, now));
}

export function part(id: string, title: string, ...children: readonly Child[]): ViewElement {
  return element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);
}

/** A form whose buttons are actions; `formKey` is the session's. */
export function form(formKey: string, ...children: readonly Child[]): ViewElement {
  return element(
    'form',
    { method: 'post', action: 'admin/act', class: 'act' },
    hidden('formKey', formKey),
    ...children,
  );
}

export function hidden(name: string, value: string): ViewElement {
  return element('input', { type: 'hidden', name, value });
}

/** A button for an action; `about` names its object for screen readers. */
export function button(act: string, label: string, about = ''): ViewElement {
  const unseen = about === '' ? undefined : element('span', { class: 'unseen' }, ` ${shown(about, 80)}`);
  return element('button', { name: 'act', value: act }, label, unseen);
}

export function field(
  id: string,
  name: string,
  label: string,
  more: Readonly<Record<string, string | boolean | undefined>> = {},
): Child {
  return [
    element('label', { for: id }, label),
    element('input', { id, name, autocomplete: 'off', spellcheck: 'false', ...more }),
  ];
}
