import type { Area } from './feature.ts';

const letters =
  'case b06, case b08, case b15, case b26: letters fold, one character is found, short words stay';

export const words: Area = {
  'words.letters': {
    feature:
      'Letters that do not decompose are compared as they are typed without them: `lodz` finds *Łódź*.',
    test: letters,
  },
  'words.turkish-i': { feature: 'The four letters i of Turkish are one.', test: letters },
  'words.one-character': {
    feature: 'One character of a script without spaces finds the words that contain it.',
    test: letters,
  },
  'words.emoji': {
    feature: 'An emoji is a word; its colour does not matter.',
    test: 'an emoji with its signs is one word without them',
  },
  'words.two-letters-for-one': {
    feature:
      'In German `ae`, `oe` and `ue` equal the umlauts; in Danish and Norwegian `aa` and `oe` their letters.',
    test: 'two letters typed for one meet it in their languages',
  },
  'words.prefixes': {
    feature:
      'Articles, conjunctions and prepositions that Arabic and Hebrew write with a word do not matter.',
    test: 'forms of a word are one term in their language, with and without accents',
  },
  'words.corrections': {
    feature:
      'A word of the index, a short one, one in capitals and a part of one with hyphens are never corrected.',
    test: letters,
  },
};
