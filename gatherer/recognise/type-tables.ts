import { pattern } from './pattern.ts';

/** An operator's own rule of type recognition: a regular expression and the type it stands for. */
export interface TypeRule {
  readonly pattern: string;
  readonly type: string;
}

/** Harvest's byurl.cf, byname.cf and bycontent.cf: looked at in this order, each before Garner's own table. */
export interface TypeTables {
  readonly byUrl: readonly TypeRule[];
  readonly byName: readonly TypeRule[];
  /** Matched against the first kilobyte as Latin-1. */
  readonly byContent: readonly TypeRule[];
}

export const noTypeTables: TypeTables = { byUrl: [], byName: [], byContent: [] };

type Rules = readonly { readonly found: RegExp; readonly type: string }[];

/** An operator's tables ready for use. Throws RULE_PATTERN. */
export class OwnTypes {
  readonly #byUrl: Rules;
  readonly #byName: Rules;
  readonly #byContent: Rules;

  constructor({ byUrl, byName, byContent }: TypeTables) {
    const ready = (rules: readonly TypeRule[]) =>
      rules.map(({ pattern: source, type }) => ({ found: pattern(source), type }));
    this.#byUrl = ready(byUrl);
    this.#byName = ready(byName);
    this.#byContent = ready(byContent);
  }

  ofUrl(url: string): string | undefined {
    return first(this.#byUrl, url);
  }

  ofName(name: string): string | undefined {
    return first(this.#byName, name);
  }

  /** `start`: the beginning of the content, Latin-1. */
  ofContent(start: () => string): string | undefined {
    return this.#byContent.length === 0 ? undefined : first(this.#byContent, start());
  }
}

function first(rules: Rules, text: string): string | undefined {
  return rules.find(({ found }) => found.test(text))?.type;
}
