import { failure, GarnerError } from '../../kernel/index.ts';
import { cliErrors } from './errors.ts';

/** One error in a configuration, with its place. */
export interface Mistake {
  readonly error: GarnerError;
  /** `garner.yaml:12`, `--delay`, `environment GARNER_GATHERER_DELAY`; absent where the error itself says it. */
  readonly at?: string | undefined;
}

/** A value that looks wrong, but may be meant. */
export interface Warning {
  readonly key: string;
  readonly at: string;
  /** One sentence: what looks wrong, and what to do about it. */
  readonly text: string;
}

/** Further ones are only counted. */
const maxStored = 20;

/** Collects the mistakes in a configuration, so that a person sees all of them at once. */
export class Mistakes {
  readonly #found: Mistake[] = [];
  readonly #warnings: Warning[] = [];
  #more = 0;

  get isFull(): boolean {
    return this.#found.length === maxStored;
  }

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

  /** The value of `work`, or undefined when it throws a typed error, which is noted. */
  attempt<Value>(work: () => Value): Value | undefined {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof GarnerError)) throw error;
      this.note(error);
      return undefined;
    }
  }

  /** The place of a noted mistake. */
  placeOf(error: GarnerError): string | undefined {
    const mistake = this.#found.find((found) => found.error === error);
    return mistake === undefined ? undefined : placeOf(mistake);
  }

  /** Whether there is a mistake in a setting whose key has one of these prefixes. */
  concerns(prefixes: readonly string[]): boolean {
    return this.#found.some(({ error }) => {
      const { key } = (error.data ?? {}) as { readonly key?: unknown };
      return typeof key === 'string' && prefixes.some((prefix) => key.startsWith(prefix));
    });
  }

  /** Whether there is a mistake at this place already. */
  has(at: string): boolean {
    return this.#found.some((mistake) => placeOf(mistake) === at);
  }

  /** Throw the noted mistakes: a single one unchanged, several as CLI_MISTAKES in the order of their lines. */
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
