import { failure } from '../../kernel/index.ts';
import { cliErrors } from '../config/errors.ts';
import { settingFlags } from './flags.ts';
import { type Verb, wordsOf } from './verb.ts';

/** The flag of the shell's completion script; the words typed so far follow, the program's name first. */
export const completionFlag = '--get-yargs-completions';

/** The parts of a verb that completion uses. */
type CompletedVerb = Pick<Verb, 'command' | 'options' | 'settings'>;

/** The words that may come next. The last of `words` is being typed; `common`: every verb's options. */
export async function completions(
  verbs: readonly CompletedVerb[],
  words: readonly string[],
  common: readonly string[],
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1).filter((word) => !word.startsWith('-'));
  const exact = verbs.find((verb) => wordsOf(verb).every((word, at) => word === before[at]));
  const next = verbs
    .filter((verb) => before.every((word, at) => word === wordsOf(verb)[at]))
    .map((verb) => wordsOf(verb)[before.length])
    .filter((word) => word !== undefined);
  const flags = current.startsWith('-') ? await flagsOf(exact, common) : [];
  return [...new Set([...next, ...flags])].filter((word) => word.startsWith(current));
}

async function flagsOf(verb: CompletedVerb | undefined, common: readonly string[]): Promise<string[]> {
  const own = Object.keys(verb?.options ?? {});
  const settings = (await verb?.settings?.()) ?? [];
  const names = settingFlags(settings, [...own, ...common]).map(({ name }) => name);
  return [...own, ...names, ...common].map((name) => `--${name}`);
}

const shells = ['bash', 'zsh'] as const;

const scripts: Readonly<Record<(typeof shells)[number], (name: string) => string>> = {
  bash: (name) => `# Completion of ${name} in bash: ${name} completion bash >> ~/.bashrc
_${name}_completions()
{
    local words
    mapfile -t words < <(${name} ${completionFlag} "\${COMP_WORDS[@]:0:COMP_CWORD+1}")
    mapfile -t COMPREPLY < <(compgen -W "$(printf '%q ' "\${words[@]}")" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o bashdefault -o default -F _${name}_completions ${name}
`,
  zsh: (name) => `#compdef ${name}
# Completion of ${name} in zsh: ${name} completion zsh >> ~/.zshrc
_${name}_completions()
{
    local -a reply
    reply=("\${(@f)$(${name} ${completionFlag} "\${(@)words[1,CURRENT]}")}")
    if [[ -n "\${reply[1]}" ]]; then compadd -- "\${reply[@]}"; else _default; fi
}
if [[ "\${zsh_eval_context[-1]}" == "loadautofunc" ]]; then _${name}_completions "$@"
else compdef _${name}_completions ${name}; fi
`,
};

/** The verbs that every program has besides its own; `shell` is the path of the person's shell. */
export function programVerbs(program: string, shell = ''): readonly Verb[] {
  const usual = /(?:^|\/)zsh$/.test(shell) ? 'zsh' : 'bash';
  return [
    {
      command: 'completion [shell]',
      describe: 'Print a completion script for bash or zsh',
      examples: [['completion bash >> ~/.bashrc', 'for bash']],
      positionals: { shell: 'bash or zsh; without it the shell of $SHELL' },
      handler: async ({ args, output }) => {
        const asked = args.text('shell') ?? usual;
        const known = shells.find((one) => one === asked);
        if (known === undefined)
          throw failure(cliErrors.CLI_USAGE, {
            problem: `there is no completion for the shell ${asked}`,
            help: shells.map((one) => `${program} completion ${one}`).join('      or   '),
          });
        await output.data(scripts[known](program).trimEnd());
      },
    },
    {
      command: 'help [verb..]',
      describe: 'Show the help of a verb, as --help after it does',
      examples: [['help completion', 'the options of one verb']],
      positionals: { verb: 'The words of the verb' },
      // `withHelp` has replaced this verb by the option before.
      handler: async () => {},
    },
  ];
}
