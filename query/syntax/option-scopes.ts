import type { Lexeme } from './lexer.ts';
import type { QueryOptions } from './options.ts';

/** Options by the index of the opening parenthesis that they apply in. */
export type GroupOptions = ReadonlyMap<number, QueryOptions>;

/** Lexemes without options, and the removed options: of the whole query, and of its parentheses. */
export interface ScopedLexemes {
  readonly lexemes: readonly Exclude<Lexeme, { kind: 'option' }>[];
  readonly groups: GroupOptions;
  readonly options: QueryOptions;
}

/** Take the options out. The numbers of lines and objects apply to the whole query. */
export function withoutOptions(lexemes: readonly Lexeme[]): ScopedLexemes {
  const kept: Exclude<Lexeme, { kind: 'option' }>[] = [];
  const groups = new Map<number, QueryOptions>();
  const open: number[] = [];
  let options: QueryOptions = {};
  for (const lexeme of lexemes) {
    if (lexeme.kind === 'option') {
      const group = open.at(-1);
      const isForAll = group === undefined || 'lines' in lexeme.option || 'max' in lexeme.option;
      if (isForAll) options = { ...options, ...lexeme.option };
      else groups.set(group, { ...groups.get(group), ...lexeme.option });
      continue;
    }
    if (lexeme.kind === 'open') open.push(kept.length);
    else if (lexeme.kind === 'close') open.pop();
    kept.push(lexeme);
  }
  return { lexemes: kept, groups, options };
}
