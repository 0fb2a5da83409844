import { type Child, element, type ViewElement } from './client/element.ts';

/**
 * A table that scrolls where it is wider than the screen, also with the keys. `numbers` are the
 * columns, counted from 0, whose cells are numbers.
 */
export function wideTable(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly Child[])[],
  numbers: readonly number[] = [],
): ViewElement {
  const kind = (column: number) => (numbers.includes(column) ? { class: 'number' } : {});
  const head = (words: string, column: number) => element('th', { scope: 'col', ...kind(column) }, words);
  const row = ([first, ...cells]: readonly Child[]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, first),
      cells.map((cell, at) => element('td', kind(at + 1), cell)),
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
