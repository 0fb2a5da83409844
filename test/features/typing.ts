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
  'typing.characters': {
    feature: 'Snippets and titles are cut between characters as readers see them, titles at a word.',
    test: 'case b19: snippets and titles are cut between characters as readers see them',
  },
  'typing.one-cut': {
    feature: 'One function cuts texts, the same on the server and in the browser.',
    test: 'the browser cuts texts as the server does',
  },
  'typing.direction': {
    feature: 'A result from right to left is so as a whole and names its language.',
    test: 'case b25: a result from right to left is so as a whole, and names its language',
  },
  'typing.ring': {
    feature:
      'The start page counts publishers as sites and Brokers apart, and a site leads to a search in it.',
    test: 'case b35: publishers are sites, Brokers are apart, and nothing counts twice in a ring',
  },
  'typing.calm-cards': {
    feature:
      'A result shows title, place, passage and date, and the rest behind one button; its address fits its line.',
    test: 'a card is calm: title, place, passage and date, and the rest behind one button',
  },
  'typing.recent': {
    feature: 'Recent searches stay in the browser, and can be forgotten and turned off.',
    test: 'recent searches stay in the browser, and are forgotten and turned off by a button',
  },
  'typing.no-result': {
    feature: 'A page without result offers searches without filters and with fewer words.',
    test: 'a page without result says what was searched, and what to leave out',
  },
};
