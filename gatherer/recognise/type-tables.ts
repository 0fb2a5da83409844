import { failure } from '../../kernel/index.ts';
import { customiseErrors } from '../customise/errors.ts';

/** An operator's own rule of type recognition: a regular expression and its type. */
export interface TypeRule {
  readonly pattern: string;
  readonly type: string;
}

/** Harvest's byurl.cf, byname.cf and bycontent.cf: tried in this order, each before Garner's own table. */
export interface TypeTables {
  readonly byUrl: readonly TypeRule[];
  readonly byName: readonly TypeRule[];
  /** Matched against the first kilobyte as Latin-1. */
  readonly byContent: readonly TypeRule[];
}

export const noTypeTables: TypeTables = { byUrl: [], byName: [], byContent: [] };

type Rules = readonly { readonly found: RegExp; readonly type: string }[];

/** An operator's compiled tables. Throws RULE_PATTERN. */
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

/** An operator's regular expression. Throws RULE_PATTERN. */
export function pattern(source: string, flags = ''): RegExp {
  try {
    return new RegExp(source, `${flags.replace(/[gy]/g, '')}${/[uv]/.test(flags) ? '' : 'u'}`);
  } catch (error) {
    throw failure(customiseErrors.RULE_PATTERN, { pattern: source, reason: (error as Error).message }, error);
  }
}
