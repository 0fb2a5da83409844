import { failure, GarnerError } from '../../kernel/index.ts';
import { cliErrors } from './errors.ts';

/** One thing that is wrong, and where. */
export interface Mistake {
  readonly error: GarnerError;
  /** `garner.yaml:12`, `--delay`, `environment GARNER_GATHERER_DELAY`; absent where the error itself says it. */
  readonly at?: string | undefined;
}

/** What may be meant as it is written, though it looks wrong. */
export interface Warning {
  /** The setting that it is about. */
  readonly key: string;
  readonly at: string;
  /** One sentence: what looks wrong, and what to do if it is. */
  readonly text: string;
}

/** More of them are only counted. */
const maxStored = 20;

/** Gathers what is wrong in a configuration, so that a person sees all of it at once. */
export class Mistakes {
  readonly #found: Mistake[] = [];
  readonly #warnings: Warning[] = [];
  #more = 0;

  /** Whether more would only be counted. */
  get isFull(): boolean {
    return this.#found.length === maxStored;
  }

  /** What was noted so far, with its place. */
  get found(): readonly Mistake[] {
    return this.#found;
  }

  get warnings(): readonly Warning[] {
    return this.#warnings;
  }

  note(error: GarnerError, at?: string): void {
    if (this.#found.length < maxStored) this.#found.push({ error, at });
    else this.#more++;
  }

  warn(warning: Warning): void {
    if (this.#warnings.length < maxStored) this.#warnings.push(warning);
  }

  /** What `work` returns, or undefined when it throws a typed error, which is noted. */
  attempt<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      this.note(error);
      return undefined;
    }
  }

  /** Where a mistake that was noted stands. */
  placeOf(error: GarnerError): string | undefined {
    const mistake = this.#found.find((found) => found.error === error);
    return mistake === undefined ? undefined : placeOf(mistake);
  }

  /** Whether something is wrong in a setting whose key begins so. */
  concerns(prefixes: readonly string[]): boolean {
    return this.#found.some(({ error }) => {
      const { key } = (error.data ?? {}) as { readonly key?: unknown };
      return typeof key === 'string' && prefixes.some((prefix) => key.startsWith(prefix));
    });
  }

  /** Whether something is wrong there already. */
  has(at: string): boolean {
    return this.#found.some((mistake) => placeOf(mistake) === at);
  }

  /** Throw what was noted: one mistake as it is, several as CLI_MISTAKES in the order of their lines. */
  throwAny(): void {
    const [first, ...others] = this.#found;
    if (first === undefined) return;
    if (others.length === 0 && this.#more === 0) throw first.error;
    const mistakes = this.#found
      .map((mistake, order) => ({ mistake, order }))
      .sort((a, b) => lineOf(a.mistake) - lineOf(b.mistake) || a.order - b.order)
      .map(({ mistake }) => {
        const { code, message, hint } = mistake.error;
        return { code, message, hint, at: placeOf(mistake) };
      });
    throw failure(
      cliErrors.CLI_MISTAKES,
      { count: this.#found.length + this.#more, mistakes, more: this.#more },
      first.error,
    );
  }
}

function placeOf({ error, at }: Mistake): string | undefined {
  if (at !== undefined) return at;
  const { at: own } = (error.data ?? {}) as { readonly at?: unknown };
  return typeof own === 'string' ? own : undefined;
}

/** Flags and variables, which have no line, come first. */
function lineOf(mistake: Mistake): number {
  return Number(/:(\d+)$/.exec(placeOf(mistake) ?? '')?.[1] ?? 0);
}
