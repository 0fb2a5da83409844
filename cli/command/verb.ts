import type { Setting } from '../../kernel/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import type { Output } from '../text/output.ts';

/** One option of a verb that is no setting. */
export type VerbOption = {
  readonly describe: string;
  /** One letter. */
  readonly alias?: string;
  readonly required?: boolean;
} & (
  | { readonly kind: 'text'; readonly default?: string; readonly choices?: readonly string[] }
  | { readonly kind: 'flag'; readonly default?: boolean }
  | {
      readonly kind: 'count';
      readonly default?: number;
      readonly range?: readonly [min: number, max: number];
    }
  /** A TCP port; 0 takes any free one. */
  | { readonly kind: 'port'; readonly default?: number }
  /** May be given more than once. */
  | { readonly kind: 'list' }
);

/** The arguments and options after the verb. A getter of the wrong kind is a TypeError. */
export class VerbArguments {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values;
  }

  /** A text option or a positional argument; undefined when it was not given and has no default. */
  text(name: string): string | undefined {
    return this.#of(name, (value): value is string => typeof value === 'string');
  }

  /** A positional argument or option that the verb requires. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new TypeError(`${name} is not a required argument`);
    return value;
  }

  flag(name: string): boolean {
    return this.#of(name, (value): value is boolean => typeof value === 'boolean') ?? false;
  }

  count(name: string): number | undefined {
    return this.#of(name, (value): value is number => typeof value === 'number');
  }

  list(name: string): readonly string[] {
    return this.#of(name, (value): value is string[] => Array.isArray(value))?.map(String) ?? [];
  }

  #of<Value>(name: string, isKind: (value: unknown) => value is Value): Value | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null) return undefined;
    if (!isKind(value)) throw new TypeError(`argument ${name} is a ${typeof value}`);
    return value;
  }
}

/** What a verb's handler is given. */
export interface Run {
  readonly args: VerbArguments;
  readonly output: Output;
  /** Aborted at the first Ctrl-C or SIGTERM, or when the terminal ends: finish the current work, save, return. */
  readonly signal: AbortSignal;
  /** From now on SIGHUP without a terminal calls this instead of ending the command. */
  whenHungUp(reload: () => void): void;
  /** The person's working folder; relative paths begin here. */
  readonly cwd: string;
  /** Ask the person for one line; absent where no person is at a terminal. */
  readonly ask?: (question: string) => Promise<string>;
  /** A sentence with each `garner VERB` in it as the person types it here, such as `npx garner VERB`. */
  typed(line: string): string;
  /** The effective settings: flags, environment, file and defaults. Reads the file once. */
  config(): Promise<EffectiveConfig>;
}

/** A verb, one file each. Its handler imports what it needs when it runs, so that help stays quick. */
export interface Verb {
  /** Words and arguments: `gatherer serve`, `broker search <query..>`, `up [site]`. */
  readonly command: string;
  /** One line for the list of verbs. */
  readonly describe: string;
  /** Command lines without the program's name, with what each does; one or two. */
  readonly examples?: readonly (readonly [line: string, describe: string])[];
  readonly positionals?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, VerbOption>>;
  /** The settings that are flags of this verb; imported only when the verb itself is requested. */
  readonly settings?: () => Promise<readonly Setting[]>;
  /** Whether it reports what the configuration names and this machine does not have. */
  readonly judgesMachine?: boolean;
  /** It reads documents, or opens ports, as the user who calls it; any other verb that root runs acts as the owner of the data. */
  readonly runsAsCaller?: true;
  /** Keys of the settings that its help lists; the others are flags too. */
  readonly shownSettings?: readonly string[];
  /** Run the verb; returns the exit code. Without one it is 0, or 130 when interrupted. */
  handler(run: Run): Promise<number | undefined> | Promise<void>;
}

export function wordsOf(verb: Pick<Verb, 'command'>): string[] {
  return verb.command.split(' ').filter((word) => !/^[[<]/.test(word));
}

/** The verbs of one group as a program of their own has them: `gatherer serve` becomes `serve`. */
export function verbsOfGroup(verbs: readonly Verb[], group: string): Verb[] {
  return verbs
    .filter((verb) => wordsOf(verb).length > 1 && wordsOf(verb)[0] === group)
    .map((verb) => ({
      ...verb,
      command: verb.command.slice(group.length + 1),
      ...(verb.examples && {
        examples: verb.examples.map(
          ([line, describe]) => [line.replace(new RegExp(`^${group} `), ''), describe] as const,
        ),
      }),
    }));
}

/** The groups within a group with their lines, as a program of its own has them: `broker source` becomes `source`. */
export function groupsWithin(
  groups: Readonly<Record<string, string>>,
  group: string,
): Readonly<Record<string, string>> {
  const within = Object.entries(groups).filter(([name]) => name.startsWith(`${group} `));
  return Object.fromEntries(within.map(([name, describe]) => [name.slice(group.length + 1), describe]));
}
