import type { SummaryObject } from '../soif/index.ts';
import { searchedValues } from './attribute-policy.ts';
import { matcherOf } from './matchers.ts';
import { readRange } from './range.ts';
import type { LeafNode, QueryNode } from './tree.ts';

const decoder = new TextDecoder();

type Predicate = (object: SummaryObject) => boolean;

/**
 * A query made ready to be asked of many objects. The innermost attribute around a leaf is the one that counts. Throws
 * QUERY_REGEX for a tree that no query text gives.
 */
export function compileQuery(query: QueryNode, attribute?: string): Predicate {
  switch (query.kind) {
    case 'attribute':
      return compileQuery(query.operand, query.name.toLowerCase());
    case 'and': {
      const operands = query.operands.map((operand) => compileQuery(operand, attribute));
      return (object) => operands.every((operand) => operand(object));
    }
    case 'or': {
      const operands = query.operands.map((operand) => compileQuery(operand, attribute));
      return (object) => operands.some((operand) => operand(object));
    }
    case 'not': {
      const operand = compileQuery(query.operand, attribute);
      return (object) => !operand(object);
    }
    case 'all':
      return () => true;
    default: {
      const holds = valueTest(query, attribute);
      return (object) =>
        searchedValues(object, attribute).some(({ value }) =>
          holds(typeof value === 'string' ? value : decoder.decode(value)),
        );
    }
  }
}

function valueTest(leaf: LeafNode, attribute: string | undefined): (text: string) => boolean {
  if (leaf.kind === 'range') return readRange(leaf, attribute).holds;
  const matcher = matcherOf(leaf);
  return (text) => matcher.test(text);
}

/**
 * Whether an object matches, by reading it: the definition every engine is held to. A leaf matches where it does in
 * some value that it looks at (`searchedValues`); what it is to match is said with each node (`tree.ts`). Use
 * `compileQuery` for many objects.
 */
export function matches(object: SummaryObject, query: QueryNode): boolean {
  return compileQuery(query)(object);
}
