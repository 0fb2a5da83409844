import { dirname, resolve } from 'node:path';
import yargs, { type Argv } from 'yargs';
import { failure, type Setting } from '../../kernel/index.ts';
import { configuredPlace } from '../config/bad-setting.ts';
import type { EffectiveConfig, FlagValue } from '../config/config.ts';
import type { Mistakes } from '../config/config-errors.ts';
import { cliErrors } from '../config/errors.ts';
import { throwOutOfFiles } from '../config/out-of-files.ts';
import { Output, type OutputStream, terminalSafe } from '../text/output.ts';
import { completionFlag, completions, programVerbs } from './completions.ts';
import {
  bindNegated,
  isMarked,
  markArguments,
  optionsIn,
  withoutMarks,
  withPlainArguments,
} from './double-dash.ts';
import { type FailOptions, fail } from './fail.ts';
import {
  givenSettings,
  type Refuse,
  type SettingFlags,
  settingFlags,
  settingOption,
  shownOption,
  verbOption,
} from './flags.ts';
import { type InterruptSource, interruptedExit, watchInterrupts } from './interrupt.ts';
import { type Spell, spelledOut } from './spelling.ts';
import { usageProblem, withHelp } from './usage-error.ts';
import { type Run, type Verb, VerbArguments, wordsOf } from './verb.ts';

/** A command: its verbs and what they share. */
export interface Program {
  /** `garner`, or `gatherer` for the verbs of one group. */
  readonly name: string;
  readonly version: string;
  /** One sentence above the list of verbs. */
  readonly describe: string;
  readonly verbs: readonly Verb[];
  /** One line for each first word that several verbs share. */
  readonly groups: Readonly<Record<string, string>>;
  /** Every setting: the file and the environment are checked against all of them. */
  readonly settings: () => Promise<readonly Setting[]>;
  /** Check what the kind of a single setting cannot, and note the mistakes. */
  readonly check?: (config: EffectiveConfig, mistakes: Mistakes) => Promise<void>;
  /** Check that this machine has the programs and files of the configuration; for verbs that want it. */
  readonly checkMachine?: (config: EffectiveConfig, mistakes: Mistakes, env: World['env']) => Promise<void>;
  /** How a person types a program here; by its name when absent. */
  readonly spell?: Spell;
}

/** The world a program runs in; `process` has all of it. */
export interface World {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's working folder. */
  readonly cwd: string;
  readonly interrupts: InterruptSource;
  /** Ask the person at the terminal for one line; absent without a terminal. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>;
}

const exitCodes = `Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but some pages unread,
10 no store here, 11 store in use, 12 peer unreachable, 130 interrupted`;

/** Options that every verb has. */
export const commonOptions = ['json', 'quiet', 'verbose', 'color', 'config', 'help', 'version'];

interface Chosen {
  readonly verb: Verb;
  readonly parsed: Readonly<Record<string, unknown>>;
  readonly flags: Map<string, FlagValue>;
}

/** Takes the configuration as it was read, even if it is wrong: it gives errors their places. */
type Keep = (config: EffectiveConfig, mistakes: Mistakes) => void;

/** Run a command line (without the program's name) and return its exit code. Never throws and never exits. */
export async function runProgram(given: Program, typed: readonly string[], world: World): Promise<number> {
  const verbs = [...given.verbs, ...programVerbs(given.name, world.env.SHELL)];
  const program = { ...given, verbs };
  const argv = withHelp(verbs, typed);
  const wants = (name: string) => optionsIn(argv).includes(name);
  // Known before parsing, so that a mistake in the command line is printed in the right form too.
  const output = new Output({
    ...world,
    json: wants('--json'),
    quiet: wants('--quiet') || wants('-q'),
    plain: wants('--no-color'),
  });
  const verbose = wants('--verbose');
  let configured: FailOptions['configured'];
  const keep: Keep = (config, mistakes) => {
    configured = (error) => mistakes.placeOf(error) ?? configuredPlace(config, error);
  };
  try {
    if (argv[0] === completionFlag) {
      const found = await completions(verbs, argv.slice(2), commonOptions);
      if (found.length > 0) await output.data(found.join('\n'));
      return 0;
    }
    const { chosen, text } = await parse(program, argv, wants('--help') || wants('-h'), output.columns);
    if (text !== '') await output.data(text);
    if (chosen === undefined) return 0;
    return await runVerb(program, chosen, world, output, keep);
  } catch (error) {
    return fail(error, output, { verbose, spell: spellOf(program), ...(configured && { configured }) });
  }
}

function spellOf({ spell }: Program): Spell {
  return spell ?? ((name) => name);
}

/** The program's name in help: as it is typed, unless that is a long path. */
function shownName(program: Program): string {
  const spelled = spellOf(program)(program.name);
  return spelled.startsWith('node ') ? program.name : spelled;
}

async function runVerb(
  program: Program,
  chosen: Chosen,
  world: World,
  output: Output,
  keep: Keep,
): Promise<number> {
  using interrupts = watchInterrupts(world.interrupts, () =>
    output.note('stopping: finishing the work in progress (Ctrl-C again stops at once)'),
  );
  const args = new VerbArguments(chosen.parsed);
  let config: Promise<EffectiveConfig> | undefined;
  const { ask } = world;
  const run: Run = {
    args,
    output,
    signal: interrupts.signal,
    whenHungUp: interrupts.whenHungUp,
    cwd: world.cwd,
    ...(ask && output.isInteractive && { ask: (question: string) => ask(question, interrupts.signal) }),
    typed: (line) => spelledOut(line, spellOf(program)),
    config: () => {
      config ??= configOf(program, chosen, world, { named: args.text('config'), keep, output });
      return config;
    },
  };
  await respectOwner(program, chosen.verb, run);
  const code = await chosen.verb.handler(run);
  return code ?? (interrupts.isInterrupted ? interruptedExit : 0);
}

/** Where root runs a verb on a data folder of another user: act as that user, or warn. */
async function respectOwner(program: Program, verb: Verb, run: Run): Promise<void> {
  const { args, output, cwd } = run;
  if (process.geteuid?.() !== 0 || verb.options?.data === undefined) return;
  const data = args.text('data');
  if (data === undefined) return;
  const { actAsOwner, dataOwnerWarning } = await import('./data-owner.ts');
  if (!verb.runsAsCaller) {
    // A configuration may be readable by root alone; the verb reports what is wrong with it.
    await run.config().catch(() => undefined);
    return actAsOwner(resolve(cwd, data));
  }
  const line = [spellOf(program)(program.name), ...wordsOf(verb)].join(' ');
  const warning = await dataOwnerWarning(resolve(cwd, data), line);
  if (warning !== undefined) output.note(warning);
}

/** Read the configuration and check it. Throws all mistakes at once; prints warnings. */
async function configOf(
  program: Program,
  chosen: Chosen,
  world: World,
  options: {
    readonly named: string | undefined;
    readonly keep: Keep;
    readonly output: Output;
  },
): Promise<EffectiveConfig> {
  // Loaded only now: the schema library costs more than everything else here.
  const { effectiveConfig } = await import('../config/config.ts');
  const { readConfigFile } = await import('../config/config-file.ts');
  const { Mistakes } = await import('../config/config-errors.ts');
  const mistakes = new Mistakes();
  const given = options.named ?? world.env.GARNER_CONFIG;
  const name = given ?? 'garner.yaml';
  const path = resolve(world.cwd, name);
  const file = await readConfigFile(path, { name, mayBeAbsent: given === undefined });
  const config = effectiveConfig([await program.settings()], {
    argv: chosen.flags,
    env: world.env,
    file,
    folder: dirname(path),
    mistakes,
  });
  options.keep(config, mistakes);
  await program.check?.(config, mistakes);
  if (chosen.verb.judgesMachine === true) await program.checkMachine?.(config, mistakes, world.env);
  const own = new Set((await chosen.verb.settings?.())?.map(({ key }) => key));
  for (const { key, at, text } of mistakes.warnings)
    if (own.has(key)) options.output.note(`warning: ${terminalSafe(text)} (${terminalSafe(at)})`);
  mistakes.throwAny();
  return config;
}

/** Settings are loaded only where a word of the command line may be one of theirs. */
async function withNegated(program: Program, argv: readonly string[]): Promise<readonly string[]> {
  if (!optionsIn(argv).some((word) => /^--no-/.test(word) && word !== '--no-color')) return argv;
  const flags = settingFlags(await program.settings(), []);
  const names = flags.flatMap(({ setting, name }) =>
    setting.kind !== 'flag' && name.startsWith('no-') ? [name] : [],
  );
  return bindNegated(argv, new Set(names));
}

/** The verb of a command line with its values; text when help, the version or completions were requested. */
async function parse(
  program: Program,
  argv: readonly string[],
  wantsHelp: boolean,
  columns: number,
): Promise<{ chosen: Chosen | undefined; text: string }> {
  let chosen: Chosen | undefined;
  const known = new Map([...commonOptions, 'q', 'h'].map((option) => [option, option === 'config']));
  const problem = { said: undefined as string | undefined, cure: '' };
  // The parser also catches what loading a verb throws.
  const note = (message: string, error?: unknown) => {
    throwOutOfFiles(error);
    problem.said ??= withoutMarks(message);
  };
  const registration: Registration = {
    program,
    wantsHelp,
    completes: argv.includes(completionFlag),
    hasDash: optionsIn(argv).includes('-'),
    known,
    choose: (one) => {
      chosen = one;
    },
    refuse: (said, cure) => {
      problem.said ??= said;
      problem.cure ||= `${cure}      or   `;
    },
  };
  const parser = common(yargs(), program, shownName(program), columns);
  registerVerbs(parser, [], registration);

  parser.fail((text, error) => note(text ?? error?.message ?? 'the command cannot be understood', error));
  let text = '';
  try {
    await parser.parseAsync(markArguments(await withNegated(program, argv)), {}, (_error, _argv, printed) => {
      text = printed;
    });
  } catch (error) {
    note(error instanceof Error ? error.message : String(error), error);
  }
  if (problem.said !== undefined) {
    const typed = spellOf(program)(program.name);
    const usage = usageProblem({ said: problem.said, argv, verbs: program.verbs, known, typed });
    throw failure(cliErrors.CLI_USAGE, { ...usage, help: `${problem.cure}${usage.help}` });
  }
  return { chosen, text };
}

function common(parser: Argv, program: Program, name: string, columns: number): Argv {
  return parser
    .scriptName(name)
    .usage(`${program.describe}\n\nUsage: $0 <verb> [options]`)
    .version(program.version)
    .option('json', { type: 'boolean', describe: 'Print JSON, one value a line', global: true })
    .option('quiet', { alias: 'q', type: 'boolean', describe: 'No notes and no progress', global: true })
    .option('verbose', { type: 'boolean', describe: 'Show the causes of an error', global: true })
    .option('color', {
      type: 'boolean',
      describe: 'Colours on a terminal; --no-color for none',
      global: true,
    })
    .option('config', {
      type: 'string',
      requiresArg: true,
      // Given twice, the last one counts.
      coerce: (value: unknown) => (Array.isArray(value) ? value.at(-1) : value),
      describe: 'Configuration file; without it garner.yaml in the current folder',
      global: true,
    })
    .help()
    .alias('help', 'h')
    .strict()
    .demandCommand(1, 'no command given')
    .parserConfiguration({
      'dot-notation': false,
      'camel-case-expansion': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .locale('en')
    .wrap(Math.min(100, columns))
    .epilogue(exitCodes)
    .exitProcess(false);
}

/** The context in which verbs are registered. */
interface Registration {
  readonly program: Program;
  readonly wantsHelp: boolean;
  /** Whether completions were requested; hidden options are not among them, but the parser lays out all others. */
  readonly completes: boolean;
  /** Whether an argument is a lone `-`, which means standard input. */
  readonly hasDash: boolean;
  /** Collects the options of the requested verb, and whether each takes a value. */
  readonly known: Map<string, boolean>;
  readonly choose: (chosen: Chosen) => void;
  /** Takes a value that cannot be used, and its cure; the parser passes on only the sentence. */
  readonly refuse: Refuse;
}

/** Register the verbs whose command begins with these words, those of a further group under a word of its own. */
function registerVerbs(parser: Argv, path: readonly string[], registration: Registration): void {
  const groups = new Set<string>();
  for (const verb of registration.program.verbs) {
    const words = wordsOf(verb);
    const next = words[path.length];
    if (next === undefined || !path.every((word, at) => words[at] === word)) continue;
    if (words.length === path.length + 1) register(parser, verb, path.join(' '), registration);
    else if (!groups.has(next)) {
      groups.add(next);
      registerGroup(parser, [...path, next], registration);
    }
  }
}

function registerGroup(parser: Argv, path: readonly string[], registration: Registration): void {
  const group = path.join(' ');
  parser.command(path.at(-1) ?? '', registration.program.groups[group] ?? '', (inner) => {
    registerVerbs(inner, path, registration);
    const { program } = registration;
    const first = program.verbs.find((verb) => path.every((word, at) => wordsOf(verb)[at] === word));
    const [example] = first?.examples ?? [];
    if (example !== undefined) inner.example(`${shownName(program)} ${example[0]}`, example[1]);
    return inner.demandCommand(1, `no command given after ${group}`).strict();
  });
}

function register(parser: Argv, verb: Verb, group: string, registration: Registration): void {
  const { program, wantsHelp, completes, hasDash, known, choose, refuse } = registration;
  const options = Object.entries(verb.options ?? {});
  const own = options.map(([name]) => name);
  let flags: ReturnType<typeof settingFlags> = [];
  parser.command(
    group === '' ? verb.command : verb.command.slice(group.length + 1),
    verb.describe,
    async (inner) => {
      for (const [name, describe] of Object.entries(verb.positionals ?? {}))
        inner.positional(name, {
          describe,
          type: 'string',
          // Without its own default help shows an empty list as the default of required words.
          ...(verb.command.includes(`<${name}..>`) && { default: undefined }),
        });
      for (const [name, option] of options) {
        inner.option(name, verbOption(name, option, refuse));
        for (const one of [name, option.alias ?? name]) known.set(one, option.kind !== 'flag');
      }
      for (const [line, describe] of verb.examples ?? [])
        inner.example(`${shownName(program)} ${line}`, describe);
      if (verb.settings === undefined) return inner;
      const { shownSettings = [] } = verb;
      if (wantsHelp)
        inner.epilogue(
          `${shownSettings.length > 0 ? 'All settings' : 'Settings'} are options too, and can be set in garner.yaml; ${shownName(program)} config lists them`,
        );
      // Help must be quick, and the tables are in folders that load their libraries.
      if (wantsHelp && shownSettings.length === 0) return inner;
      flags = settingFlags(await verb.settings(), [...own, ...commonOptions]);
      const inHelp = (one: SettingFlags) => shownSettings.includes(one.setting.key);
      for (const one of wantsHelp ? flags.filter(inHelp) : flags) {
        inner.option(one.name, wantsHelp ? shownOption(one) : settingOption(one, !completes));
        for (const name of [one.name, one.whole]) known.set(name, one.setting.kind !== 'flag');
      }
      return inner;
    },
    (parsed) => {
      const own = Object.keys(verb.positionals ?? {});
      const marked = Object.keys(parsed).find((name) => !own.includes(name) && isMarked(parsed[name]));
      // `--as -- FILE`: no option takes an argument for its value.
      if (marked !== undefined) throw new Error(`--${marked} needs a value, and -- is not one`);
      const whole = withPlainArguments(hasDash ? withDash(verb, parsed) : parsed);
      choose({ verb, parsed: whole, flags: givenSettings(flags, whole) });
    },
  );
}

/** The parser hands a lone `-` on as an empty text. */
function withDash(verb: Verb, parsed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const empty = Object.keys(verb.positionals ?? {}).filter((name) => parsed[name] === '');
  return { ...parsed, ...Object.fromEntries(empty.map((name) => [name, '-'])) };
}
