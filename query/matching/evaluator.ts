import type { SummaryObject } from '../../soif/index.ts';
import type { StepBudget } from '../regex/index.ts';
import type { LeafNode, QueryNode } from '../syntax/index.ts';
import { defaultLanguage, type Language, languageOfObject, searchedValues } from '../words/index.ts';
import { matcherOf } from './matchers.ts';
import { readRange } from './range.ts';

const decoder = new TextDecoder();

type Predicate = (object: SummaryObject) => boolean;

/**
 * A query compiled for many objects. The innermost attribute around a leaf applies. Objects of unknown
 * language are read in `fallback`. With a budget, the predicate throws QUERY_COSTLY when its expressions have
 * spent the budget. Throws QUERY_REGEX for a tree that no query text gives.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { compileQuery, parseQuery } from 'garner/query';
 * import { summaryObject } from 'garner/soif';
 *
 * const isWanted = compileQuery(parseQuery('Title: mooring AND NOT fee*').query);
 * const titled = (title) => summaryObject('https://harbour.example/', [['Title', title]]);
 * assert.deepEqual([isWanted(titled('Moorings')), isWanted(titled('Mooring fees'))], [true, false]);
 */
export function compileQuery(
  query: QueryNode,
  attribute?: string,
  fallback: Language = defaultLanguage,
  budget?: StepBudget,
): Predicate {
  switch (query.kind) {
    case 'attribute':
      return compileQuery(query.operand, query.name.toLowerCase(), fallback, budget);
    case 'and': {
      const operands = query.operands.map((operand) => compileQuery(operand, attribute, fallback, budget));
      return (object) => operands.every((operand) => operand(object));
    }
    case 'or': {
      const operands = query.operands.map((operand) => compileQuery(operand, attribute, fallback, budget));
      return (object) => operands.some((operand) => operand(object));
    }
    case 'not': {
      const operand = compileQuery(query.operand, attribute, fallback, budget);
      return (object) => !operand(object);
    }
    case 'all':
      return () => true;
    default: {
      const testOf = valueTests(query, attribute, budget);
      return (object) => {
        const values = searchedValues(object, attribute);
        if (values.length === 0) return false;
        const holds = testOf(() => languageOfObject(object, fallback));
        return values.some(({ value }) => holds(typeof value === 'string' ? value : decoder.decode(value)));
      };
    }
  }
}

type ValueTest = (text: string) => boolean;

/** The tests for values in a language; ranges and expressions do not depend on it. */
function valueTests(
  leaf: LeafNode,
  attribute: string | undefined,
  budget: StepBudget | undefined,
): (language: () => Language) => ValueTest {
  if (leaf.kind === 'range') {
    const { holds } = readRange(leaf, attribute);
    return () => holds;
  }
  if (leaf.kind === 'regex') {
    const matcher = matcherOf(leaf, defaultLanguage, budget);
    return () => (text) => matcher.test(text);
  }
  const made = new Map<Language, ValueTest>();
  return (languageOf) => {
    const language = languageOf();
    const known = made.get(language);
    if (known !== undefined) return known;
    const matcher = matcherOf(leaf, language);
    const test = (text: string) => matcher.test(text);
    made.set(language, test);
    return test;
  };
}

/**
 * Whether an object matches: the definition that every engine agrees with (`tree.ts` has it for each kind of
 * node). Use `compileQuery` for many objects.
 */
export function matches(
  object: SummaryObject,
  query: QueryNode,
  fallback: Language = defaultLanguage,
): boolean {
  return compileQuery(query, undefined, fallback)(object);
}
