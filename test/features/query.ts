import type { Area } from './feature.ts';

export const query: Area = {
  'query.words': {
    feature: 'Words, phrases, AND, OR, NOT and parentheses find what they say.',
    test: 'words, phrases and booleans',
  },
  'query.attributes': {
    feature: '`Attribute: value` restricts a word, phrase or expression to one attribute.',
    test: 'attributes restrict, and reach what bare words do not',
  },
  'query.bare-words': {
    feature: 'A bare word is searched in every attribute except bookkeeping.',
    test: 'one table says what bare words search',
  },
  'query.phrase': {
    feature: 'A phrase is found exactly where its words follow each other.',
    test: 'a phrase is found exactly where its terms follow each other',
  },
  'query.manual': {
    feature: 'Every operator means what the manual says, in any combination.',
    test: 'a query with any operators has the meaning that the manual gives it',
  },
  'query.leaves': {
    feature: 'Prefixes, words with errors, parts of words, case and NEAR mean what a plain reading says.',
    test: 'words, phrases, prefixes, errors, parts, case and NEAR agree with a plain definition',
  },
  'query.near': {
    feature: '`a NEAR/3 b` finds both words with at most three words between them.',
    test: 'each kind of leaf finds its examples',
  },
  'query.parse': { feature: 'Queries are read as they are written.', test: 'queries are read as written' },
  'query.never-fails': {
    feature: 'A query that cannot be understood is searched as words, and a note says what was changed.',
    test: 'parts that cannot be understood are searched as words or left out, with a note',
  },
  'query.limits': {
    feature: 'The words with errors and the size of expressions in one query are bounded.',
    test: 'only so many words may have errors, and regular expressions have a size together',
  },
  'query.options': {
    feature: 'The options `#case`, `#part`, `#errors`, `#lines` and `#max` are read anywhere in a query.',
    test: 'options are read at any place, and given ones apply where the text has none',
  },
  'query.option-scope': {
    feature: 'An option holds for the parentheses that it is in.',
    test: 'an option applies to all of its parentheses, before and behind it',
  },
  'query.best': {
    feature: '`word~best` takes the least number of errors with which the query finds anything.',
    test: 'best is the least number of errors with which the whole query matches something',
  },
  'query.lines': {
    feature: '`#lines` gives the lines of a hit that match, with their attribute and place.',
    test: 'lines that match, with where, from every attribute that is looked at',
  },
  'query.numbers': {
    feature: 'Numbers in comparisons have units such as `10k` and `4KiB`.',
    test: 'numbers have units of ten or two',
  },
  'query.times': {
    feature: 'A time such as `2024-02` stands for its whole span.',
    test: 'a time is its whole span',
  },
  'query.ranges': {
    feature: 'Comparisons and ranges of numbers, times and text find the values that they cover.',
    test: 'a range holds for what it says, in the reading that all its bounds fit',
  },
  'query.ages': {
    feature: 'An age such as `<30d` is a time before now.',
    test: 'an age is a time so long before now, and smaller the later its time',
  },
  'query.regex': {
    feature: 'A regular expression matches the texts that JavaScript says it does.',
    test: 'an expression matches the texts that the standard library says it does',
  },
  'query.regex-linear': {
    feature: 'No regular expression takes more than linear time in a text.',
    test: 'no expression takes more than linear time in a text: steps are counted',
  },
  'query.regex-refused': {
    feature: 'An expression that is not supported is refused with the reason.',
    test: 'a malformed, unsupported or too large expression is an error with its reason',
  },
  'query.normal': {
    feature: 'Case, accents, ligatures and widths of letters do not matter.',
    test: 'case, accents, ligatures and widths do not matter',
  },
  'query.no-spaces': {
    feature: 'Scripts without spaces are searched by overlapping pairs of characters.',
    test: 'scripts without spaces become overlapping pairs, a single character is a token',
  },
  'query.plus-words': { feature: '`c++` and `c#` are words.', test: 'one letter keeps its ++ or #' },
  'query.stems': {
    feature: 'Forms of a word are one term in their language.',
    test: 'forms of a word are one term in their language, with and without accents',
  },
  'query.languages': {
    feature: 'Language codes, tags and names such as `de-AT` and `German` are understood.',
    test: 'codes, tags and names mean a language',
  },
  'query.object-language': {
    feature: 'An object is in the language that it names, then in that of its text, then in the fallback.',
    test: 'an object is in the language it names, then in that of its text, then in the fallback',
  },
  'query.detect': {
    feature: 'The language of a paragraph is recognised.',
    test: 'the language of a paragraph is detected',
  },
  'query.stop-words': {
    feature: 'Each language has stop words of its own.',
    test: 'each language has stop words of its own',
  },
  'query.garbage': {
    feature: 'Garbage queries are read and searched within bounds.',
    test: '1500 garbage queries are read and run on a store within bounds',
  },
};
