import { type Child, element, type ViewElement } from './client/element.ts';

/**
 * A table that scrolls where it is wider than the screen, also with the keys. `numbers` are the
 * columns, counted from 0, whose cells are numbers; `ids` are those of the rows.
 */
export function wideTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
  numbers: readonly number[] = [],
  ids: readonly string[] = [],
): ViewElement {
  const kind = (column: number) => (numbers.includes(column) ? { class: 'number' } : {});
  const head = (words: string, column: number) => element('th', { scope: 'col', ...kind(column) }, words);
  const row = ([first, ...cells]: readonly Child[], at: number) =>
    element(
      'tr',
      { id: ids[at] },
      element('th', { scope: 'row' }, first),
      cells.map((cell, at) => element('td', { 'data-head': heads[at + 1], ...kind(at + 1) }, cell)),
    );
  return element(
    'div',
    { class: 'wide', role: 'region', 'aria-label': label, tabindex: 0 },
    element(
      'table',
      { class: 'sites' },
      element('caption', {}, label),
      element('thead', {}, element('tr', {}, heads.map(head))),
      element('tbody', {}, rows.map(row)),
    ),
  );
}
