import type { Area } from './feature.ts';

const letters =
  'case b06, case b08, case b15, case b26: letters fold, one character is found, short words stay';

const spellings = 'case b09, case b10, case b11: a word is found by its parts, joined, and without its v';

const longer = 'case b26, case b15: a word that no page has is found as the beginning or a part of words';

const files = 'case b29: a file name that is the query is found, and comes near the top';

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
  'words.longer': {
    feature:
      'A word without hits is searched as the beginning of words, or as a part of them, before it is corrected; a note reports it.',
    test: longer,
  },
  'words.longer-by-language': {
    feature: 'Parts of words are searched only where the index has a language with compounds.',
    test: 'unknown words become beginnings, and parts where the index has a language with compounds',
  },
  'words.hyphened-corrections': {
    feature: 'A word with a hyphen is never corrected: not `e-mail` to `e-fail`.',
    test: longer,
  },
  'words.file-name': {
    feature: 'A page whose file name is the query is found and comes near the top.',
    test: files,
  },
  'words.file-name-words': {
    feature: 'Where nothing else is found, pages whose file name has the words are, and a note reports it.',
    test: files,
  },
  'words.file-name-forms': {
    feature:
      'The name of a file is the last part of its address, with or without its extension; that of `index.html` is its folder.',
    test: 'the name of a file is the last part of its address, without and with its extension',
  },
};
