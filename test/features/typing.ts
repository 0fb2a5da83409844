import type { Area } from './feature.ts';

export const typing: Area = {
  'typing.beginning': {
    feature: 'While a query is typed, its last word counts as itself and as the beginning of a word.',
    test: 'case b04: while a word is typed, its beginning counts, and nothing is corrected',
  },
  'typing.page': {
    feature: 'The search page shows results for every beginning of a known word.',
    test: 'case b04: the page never says that there is no result while a word is unfinished',
  },
  'typing.input-method': {
    feature: 'Letters of an input method are searched for when they have been chosen.',
    test: 'case b23: letters of an input method are searched for when they have been chosen',
  },
  'typing.beyond': {
    feature: 'A page beyond the last one names the number of pages and links to the first and the last.',
    test: 'case b16: a place beyond the end of a list is answered with how long the list is',
  },
  'typing.collecting': {
    feature: 'Answers say that objects are still collected, and how many there are so far.',
    test: 'case b34: until everything is collected for the first time, answers say so',
  },
  'typing.command-key': {
    feature: 'Ctrl-K and Cmd-K lead to the search box.',
    test: 'case b36: Ctrl-K and Cmd-K lead to the box, which says so',
  },
};
