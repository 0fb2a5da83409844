import type { Area } from './feature.ts';

export const ranking: Area = {
  'ranking.title': {
    feature: 'A title that is the query, word for word, comes before pages that repeat its words.',
    test: 'case b01: a title that is the query comes before pages that repeat its words',
  },
  'ranking.title-parts': {
    feature:
      'Names of sites and numbers of sections do not matter in a title that is the query; headings come next.',
    test: 'site names, section numbers and headings: the page with that title, then that heading',
  },
  'ranking.title-forms': {
    feature: 'A title is known by its parts: without site, section number and what is in parentheses.',
    test: 'the parts of a title leave out the site, the number of the section and what is in parentheses',
  },
  'ranking.typed-text': {
    feature: 'Filters and exclusions beside the words do not hide that a title is the query.',
    test: 'the typed text of a query is its bare words in order, without what only restricts them',
  },
  'ranking.typed-form': {
    feature:
      'The form of a word that was typed comes before other forms of its stem; quotes mean the typed forms.',
    test: 'case b02: the form that was typed comes before other forms of its stem, and quotes mean it',
  },
  'ranking.order': {
    feature:
      'Words in the order of the query come before the same words scattered, and phrases of common words first.',
    test: 'words in the order of the query come before the same words scattered, common words too',
  },
  'ranking.checked-titles': {
    feature: 'Another Broker gains by a title only where the title of its hit is the query.',
    test: 'a score by a title that is the query is believed only where the hit has that title',
  },
  'ranking.signs': {
    feature: 'A name with its signs (`.NET`, `os.path`, `std::vector`) comes before its bare words.',
    test: 'a name with its signs comes before its bare words, in titles and texts',
  },
  'ranking.names': {
    feature: 'Names have signs before, between and behind their letters.',
    test: 'names have their signs: before, between and behind their letters',
  },
  'ranking.no-names': {
    feature: 'Numbers, ends of sentences, addresses, calls and snake case are no names with signs.',
    test: 'numbers, ends of sentences, addresses, calls and snake case are no names with signs',
  },
  'ranking.spelling': {
    feature: 'A word as it was typed comes before its other spellings.',
    test: 'a word as it was typed comes before its other spellings, whichever is written more often',
  },
  'ranking.whole-word': {
    feature: 'A whole word comes before the same word as a part of a name in camel case.',
    test: 'a whole word comes before the same word as a part of a name, however often',
  },
  'ranking.unfinished-title': {
    feature: 'A title that begins with the query comes first while its last word has one letter.',
    test: 'a title that begins with a query comes first, though its last word has one letter yet',
  },
  'ranking.navigational-queries': {
    feature: 'Queries of a measurement are made of titles, headings, names and commands of documents.',
    test: 'navigational queries are titles, headings, names and commands that one page has',
  },
  'figure.navigational-mrr': {
    feature: 'The rank of a page whose title, heading, name or command is typed is measured beside others.',
    bench: 'navigational',
    row: 'garner',
  },
  'figure.navigational-typing': {
    feature: 'How early a page is shown while its name is typed is measured.',
    bench: 'navigational',
    row: 'all beginnings',
  },
};
