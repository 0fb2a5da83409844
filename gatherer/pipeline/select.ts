import { failure } from '../../kernel/index.ts';
import { typeNames } from '../recognise/index.ts';
import { summariseErrors } from '../summarise/errors.ts';

/** Which types become summaries: Harvest's allow list and stop list. */
export interface TypeSelection {
  /** Keep only these types; every type when absent or empty. */
  readonly allow?: readonly string[];
  /** Drop these types; wins over `allow`. */
  readonly stop?: readonly string[];
}

/**
 * Candidate selection (Essence, harvest.txt 3.1): a test on type names, made once from the two lists. Names ignore
 * case; `own`: the types of the operator's tables. With both lists empty every type is kept. Throws
 * GATHERER_UNKNOWN_TYPE for an unknown name, because a misspelt stop list would silently keep everything.
 */
export function select(selection: TypeSelection, own: readonly string[] = []): (type: string) => boolean {
  const known = new Set([...typeNames, ...own].map((name) => name.toLowerCase()));
  const allow = namesOf(selection.allow ?? [], known);
  const stop = namesOf(selection.stop ?? [], known);
  return (type) => {
    const name = type.toLowerCase();
    return !stop.has(name) && (allow.size === 0 || allow.has(name));
  };
}

function namesOf(list: readonly string[], known: ReadonlySet<string>): ReadonlySet<string> {
  return new Set(
    list.map((given) => {
      const name = given.trim().toLowerCase();
      if (known.has(name)) return name;
      throw failure(summariseErrors.GATHERER_UNKNOWN_TYPE, { name: given, near: nearNames(name) });
    }),
  );
}

function nearNames(name: string): string[] {
  const start = name.slice(0, 3);
  return typeNames.filter((known) => known.toLowerCase().startsWith(start)).slice(0, 3);
}
