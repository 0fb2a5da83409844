/** An attribute name's parts: `Embed<2>-Embed<1>-Author-3` is value 3 of `Author` in member 1 of member 2. */
export interface NameParts {
  /** Numbers of the nested members, outermost first; empty for the document itself. */
  readonly embed: readonly number[];
  /** The name without nesting and number, in its original spelling. */
  readonly base: string;
  /** The number of a multi-value, or undefined. */
  readonly index: number | undefined;
}

const prefix = /^embed<(\d{1,9})>-/i;

/** Split an attribute name (Harvest: nesting is flattened into names; RFC 2655 section 4: multi-values). */
export function nameParts(name: string): NameParts {
  const embed: number[] = [];
  let rest = name;
  for (let match = prefix.exec(rest); match; match = prefix.exec(rest)) {
    embed.push(Number(match[1]));
    rest = rest.slice(match[0].length);
  }
  const numbered = /^(.+)-(\d{1,9})$/.exec(rest);
  return numbered
    ? { embed, base: numbered[1] as string, index: Number(numbered[2]) }
    : { embed, base: rest, index: undefined };
}

/** The name of an attribute of a nested member: `embeddedName([2, 1], 'Author')` is `Embed<2>-Embed<1>-Author`. */
export function embeddedName(embed: readonly number[], name: string): string {
  return `${embed.map((member) => `Embed<${member}>-`).join('')}${name}`;
}

/** One value with the bare name, or several as `Name-1`, `Name-2`, ... */
export function multiValue<Value>(name: string, values: readonly Value[]): (readonly [string, Value])[] {
  return values.map((value, at) => [values.length === 1 ? name : `${name}-${at + 1}`, value] as const);
}
