import { escapeHtml } from '../../http/index.ts';

/** A piece of HTML; whatever is not one of these is text. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Child = Markup | string | number | undefined | readonly Child[];

/** HTML from a template: every value in it is escaped, except what came from here; `undefined` leaves a gap. */
export function html(parts: TemplateStringsArray, ...values: readonly Child[]): Markup {
  return new Markup(parts.reduce((text, part, at) => text + written(values[at - 1]) + part));
}

function written(value: Child): string {
  if (value === undefined) return '';
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(written).join('');
  return escapeHtml(String(value));
}
