import type { Area } from './feature.ts';

export const queryReading: Area = {
  'reading.jsonl-limits': {
    feature: '`garner broker search --jsonl` takes `--limit` and `--offset`.',
    test: 'case b12: the JSON lines of a search have a limit and an offset',
  },
  'reading.option-kinds': {
    feature: 'Each verb reads each of its options as the kind that it declares.',
    test: 'every option of every verb is read as the kind that it is declared as',
  },
  'reading.no-stack': {
    feature: 'A command shows a stack only with `--verbose`.',
    test: 'mistakes of programmers show their stack with --verbose, refusals of the system their code',
  },
  'reading.hints': {
    feature:
      'The hint after a wrong command line is a line that works, with all its options and their values.',
    test: 'case b13: hints of the command line are lines that work, and help and completion take words',
  },
  'reading.colon': {
    feature:
      'A word before a colon is an attribute only where an object has that attribute; else it is text, and a note says so.',
    test: 'case b03: a text with a colon is searched as text, and the answer says so',
  },
  'reading.nothing-swallowed': {
    feature: 'Unknown parameters, facets, sources, types and times are refused or noted with what there is.',
    test: 'case b17: what means nothing is refused or noted, with what there is',
  },
  'reading.web-operators': {
    feature:
      '`|`, `site:`, `filetype:`, `intitle:` and `inurl:` mean what they mean in search engines of the Web.',
    test: 'case b32: operators of search engines of the Web mean the same here',
  },
  'reading.site': {
    feature: '`site:` finds the pages of a host and of those below it, and no page that only names the host.',
    test: 'site:, filetype:, intitle: and inurl: mean what they mean in search engines of the Web',
  },
  'reading.language-names': {
    feature: '`language:` and `lang:` take the code or the name of a language.',
    test: 'language: and lang: take a code or a name, and a note names their form',
  },
  'reading.before-after': {
    feature: '`before:` and `after:` take a date or an age.',
    test: 'before: and after: compare the time of the last change',
  },
  'reading.plain-date': {
    feature: 'A plain date as the value of a time means that day, month or year.',
    test: 'a date as the value of an attribute of times means that day, month or year',
  },
  'reading.wildcards': {
    feature: 'A lone sign, `n?ws` and `*ews` get an answer or a note.',
    test: 'a bar is OR, and lone signs and wildcards get a note or an answer',
  },
  'reading.restrictions-stay': {
    feature: 'A restriction by place, type or time stays where words become optional.',
    test: 'a restriction by place, type or time stays where words become optional',
  },
};
