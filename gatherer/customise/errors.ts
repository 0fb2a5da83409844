import { defineErrors } from '../../kernel/index.ts';

/** Faults of an operator's own rules. */
export const customiseErrors = defineErrors({
  RULE_CONDITION: {
    message: ({ text, at, expected }: { text: string; at: number; expected: string }) =>
      `the condition ${JSON.stringify(text)} is invalid at character ${at + 1}: expected ${expected}`,
    hint: () => `write conditions such as: Type == "HTML" && URL ~ /\\/users\\// || !Author`,
    exit: 2,
    retry: 'never',
  },
  RULE_SETTING: {
    message: ({ key, why }: { key: string; why: string; cure: string }) => `${key}: ${why}`,
    hint: ({ cure }: { key: string; why: string; cure: string }) => cure,
    advice:
      'correct that entry of the rules; customise.md of the manual has the keys and values of every rule',
    exit: 2,
    retry: 'never',
  },
  RULE_OUTPUT: {
    message: ({ program, reason }: { program: string; reason: string }) =>
      `${program} printed no valid attributes: ${reason}`,
    hint: () => 'it must print SOIF attributes (Title{5}:<TAB>Hello) or one JSON object of names and texts',
    exit: 3,
    retry: 'later',
  },
  RULE_PATTERN: {
    message: ({ pattern, reason }: { pattern: string; reason: string }) =>
      `the regular expression ${JSON.stringify(pattern)} is not valid: ${reason}`,
    hint: () =>
      'write a JavaScript regular expression; a backslash in a double-quoted YAML text is written twice',
    exit: 2,
    retry: 'never',
  },
});
