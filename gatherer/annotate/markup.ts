import { escapeHtml } from '../../http/index.ts';

/** A piece of HTML; any other value is text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Child = Markup | string | number | undefined | readonly Child[];

/** HTML from a template: every value in it is escaped, except other Markup; `undefined` is empty. */
export function html(parts: TemplateStringsArray, ...values: readonly Child[]): Markup {
  return new Markup(parts.reduce((text, part, at) => text + written(values[at - 1]) + part));
}

function written(value: Child): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return escapeHtml(String(value));
}
