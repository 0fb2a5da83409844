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
