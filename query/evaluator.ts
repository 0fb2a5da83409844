import type { SummaryObject } from '../soif/index.ts';
import { searchedValues } from './attribute-policy.ts';
import { leafTerms } from './leaves.ts';
import { TermMatcher } from './matcher.ts';
import type { QueryNode } from './tree.ts';

const decoder = new TextDecoder();

type Predicate = (object: SummaryObject) => boolean;

/** A query made ready to be asked of many objects. The innermost attribute around a leaf is the one that counts. */
export function compileQuery(query: QueryNode, attribute?: string): Predicate {
  switch (query.kind) {
    case 'word':
    case 'phrase': {
      const matcher = new TermMatcher([leafTerms(query)]);
      return (object) =>
        searchedValues(object, attribute).some(({ value }) =>
          matcher.test(typeof value === 'string' ? value : decoder.decode(value)),
        );
    }
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
  }
}

/**
 * Whether an object matches, by reading it: the definition every engine is held to. A word matches where its
 * term stands in some value, a phrase where its terms follow each other inside one value; a word of several
 * tokens is a phrase, one of none matches nothing. Use `compileQuery` for many objects.
 */
export function matches(object: SummaryObject, query: QueryNode): boolean {
  return compileQuery(query)(object);
}
