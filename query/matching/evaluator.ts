import type { SummaryObject } from '../../soif/index.ts';
import type { StepBudget } from '../regex/index.ts';
import type { LeafNode, QueryNode } from '../syntax/index.ts';
import { defaultLanguage, type Language, languageOfObject, searchedValues } from '../words/index.ts';
import { matcherOf } from './matchers.ts';
import { readRange } from './range.ts';

const decoder = new TextDecoder();

type Predicate = (object: SummaryObject) => boolean;

/**
 * A query made ready to be asked of many objects. The innermost attribute around a leaf is the one that counts. Objects
 * whose language is not known are taken to be in `fallback`. With a budget, what it makes throws QUERY_COSTLY when its
 * expressions have spent that. Throws QUERY_REGEX for a tree that no query text gives.
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

/** What tests a value of an object in a language; ranges and expressions ask for none. */
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
 * Whether an object matches, by reading it: the definition every engine is held to. A leaf matches where it does in
 * some value that it looks at (`searchedValues`); what it is to match is said with each node (`tree.ts`). Use
 * `compileQuery` for many objects.
 */
export function matches(
  object: SummaryObject,
  query: QueryNode,
  fallback: Language = defaultLanguage,
): boolean {
  return compileQuery(query, undefined, fallback)(object);
}
