import type { Area } from './feature.ts';

const letters =
  'case b06, case b08, case b15, case b26: letters fold, one character is found, short words stay';

const spellings = 'case b09, case b10, case b11: a word is found by its parts, joined, and without its v';

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
  'words.camel-case': {
    feature: 'A name such as `getUserName` is found whole and by its parts, which are marked in it.',
    test: spellings,
  },
  'words.hyphens': {
    feature: 'A word with hyphens and the same word without them find each other: `wi-fi` and `wifi`.',
    test: spellings,
  },
  'words.apostrophes': {
    feature: "`John's` finds *John*, `l'avion` finds *avion*, and `oreilly` finds *O'Reilly*.",
    test: spellings,
  },
  'words.versions': { feature: 'A version is found with and without its v.', test: spellings },
  'words.units': {
    feature: 'A number and its unit are found with and without a blank between.',
    test: spellings,
  },
  'words.variants': {
    feature: 'Encoded bytes, dates and long chains of words have no other spellings.',
    test: 'variants are the parts, the joined form, the number and the unit of words',
  },
};
