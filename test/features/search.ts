import type { Area } from './feature.ts';

export const search: Area = {
  'search.ranking': { feature: 'Better matches come first.', test: 'better matches come first' },
  'search.nearness': {
    feature: 'Words that are side by side in the query count for more where they are side by side in a text.',
    test: 'words that are together in the query count for more where they are together in a text',
  },
  'search.telling': {
    feature: 'Of equally rare words the one that is said often where it is said weighs more.',
    test: 'of two equally rare words the one that is frequent where it occurs weighs more',
  },
  'search.stop-words': {
    feature: 'Words that every text has do not rank objects unless the query has no others.',
    test: 'no object ranks by words that every text has, unless the query has no others',
  },
  'search.relaxed': {
    feature: 'When no object has every word, telling words are made optional.',
    test: 'a query with optional words leaves stop words out',
  },
  'search.group-ranking': {
    feature: 'A prefix, a word with errors and an expression rank as one word that stands for many.',
    test: 'a prefix, a word with errors and an expression rank like one word with many forms',
  },
  'search.feedback': {
    feature: 'For a long query an object ranks higher for what it shares with the best results.',
    test: 'for a long query an object ranks higher by terms shared with the best',
  },
  'search.freshness': {
    feature: 'With `broker.freshness` and `broker.popularity` date and links raise a score up to a set part.',
    test: 'a score gains by its date and its links, and at most by the set share',
  },
  'search.why': {
    feature: 'The parts of an explained score add up to the score that the search gives.',
    test: 'the parts of every explanation add up to the score and the rank that the search gives',
  },
  'search.why-signals': {
    feature: '`garner broker why` shows what date and links add to a score.',
    test: 'an explanation shows the contributions of date and links, and all parts add up',
  },
  'search.bm25': {
    feature: 'On judged collections the ranking is ahead of BM25.',
    test: 'ranking on cranfield is ahead of BM25, with long queries and with three words',
  },
  'search.snippet': {
    feature: 'The passage of a hit is where the words of the query are together, in whole sentences.',
    test: 'the passage is where the words are together, in one line, from the beginning of their sentence',
  },
  'search.snippet-term': {
    feature: 'A hit always shows a matched term with correct offsets.',
    test: 'a hit always shows a matched term, whole characters, and offsets that fit',
  },
  'search.snippet-marks': {
    feature: 'Prefixes, words with errors and expressions are highlighted.',
    test: 'prefixes, words with errors, expressions and words near each other are marked',
  },
  'search.snippet-phrase': {
    feature: 'A phrase is highlighted as a whole.',
    test: 'a phrase is marked as a whole and only where it occurs',
  },
  'search.matched-attributes': {
    feature: 'A hit names the attributes in which it matched.',
    test: 'the attributes that matched are named',
  },
  'search.suggestion': {
    feature: 'A misspelt word is corrected by the words of the index.',
    test: 'one letter more, less, other or swapped, at any place, leads back to the word',
  },
  'search.language-hits': {
    feature: 'Words are found, shown, corrected and widened in the language of each object.',
    test: 'words are found, shown, corrected and widened in the language of each object',
  },
  'search.completion': {
    feature: 'Completions are words of the objects, most frequent first.',
    test: 'flexsearch: completions are words of the objects, most frequent first',
  },
  'search.pages': {
    feature: 'Pages of any size make up the whole list in any order, folded and grouped or not.',
    test: 'pages of any size, in any order, folded and grouped or not, make up the whole list',
  },
  'search.orders': {
    feature: 'Results are sorted by date and title, and counted and filtered by year and month.',
    test: 'orders, facets and filters agree',
  },
  'search.cursor': {
    feature: 'A cursor leads through the list as it was, whatever changes meanwhile.',
    test: 'a cursor leads through the frozen list, whatever changes meanwhile',
  },
  'search.cursor-bounds': {
    feature: 'A cursor begins at an offset and ends at `#max`.',
    test: "a cursor skips nothing, begins at the requested offset and ends with the query's list, by one evaluation",
  },
  'search.cursor-memory': {
    feature: 'Frozen lists are dropped when they rest too long or are too many.',
    test: 'frozen lists are dropped when unread for too long or too many, the oldest first',
  },
  'search.jsonl': {
    feature: 'With `format=jsonl` every hit is a line of JSON.',
    test: 'JSON lines carry the whole list, made only as far as it is read',
  },
  'search.jsonl-process': {
    feature: 'JSON lines of a large answer are sent no faster than they are read.',
    test: 'JSON lines of a large answer: complete, no faster than they are read, and ended with their reader',
  },
  'search.memory': {
    feature: 'A question that is asked again while nothing has changed is answered from memory.',
    test: 'a repeated query gets the same answer without a search while nothing has changed',
  },
  'search.memory-fresh': {
    feature: 'Any change of the index or a source forgets the answers in memory.',
    test: 'a change of the index or of a source forgets every answer',
  },
  'search.synonyms': {
    feature: 'Synonyms are searched, count less, are shown and can be refused.',
    test: 'synonyms are searched, count less, are noted, and can be turned off',
  },
  'search.synonyms-ways': {
    feature: 'Synonyms work both ways or one way.',
    test: 'searched words become an OR with their synonyms; both ways or one',
  },
  'search.synonyms-off': {
    feature: 'Quotes and `#nosynonyms` turn synonyms off.',
    test: 'quotes and #nosynonyms leave words unchanged',
  },
  'search.templates': {
    feature: 'Result templates choose which attributes a result shows, by type.',
    test: "an object shows the attributes of its type's template, or of the general one, that it has",
  },
  'search.log': {
    feature: 'The search log counts queries and those without hits, and keeps them over a restart.',
    test: 'queries are counted, those without hits separately, and survive a restart',
  },
  'search.log-typing': {
    feature: 'Of a query that grows while it is typed only the last state counts.',
    test: 'of a query that grows while typed only the last state counts',
  },
  'search.log-bounded': {
    feature: 'The search log keeps a bounded number of queries and the frequent ones first.',
    test: 'different queries are bounded; frequent ones stay',
  },
  'search.link-check': {
    feature: 'A page that is missing twice, ten minutes apart, counts as gone.',
    test: 'a page missing twice, ten minutes apart, is gone until its summary changes',
  },
  'search.dead-link': {
    feature: 'A dead link is no result until its page has a new summary.',
    test: 'a dead link is hidden from results, stays in the store, and returns with a new summary',
  },
  'search.link-check-guard': {
    feature: 'Only links of stored objects are checked, few at a time and not in private networks.',
    test: 'only stored objects are checked, private hosts only when allowed, and few at a time',
  },
  'search.table': {
    feature: 'A result that is delimited text is shown as a table.',
    test: 'delimited text: names from the first row, quotes, signs other than the comma, odd bytes',
  },
  'search.table-sqlite': {
    feature: 'A result that is an SQLite database is shown as tables.',
    test: 'SQLite: tables with their columns and rows; damage is an error or less, never more',
  },
  'search.table-sort': {
    feature: 'Rows of a table are filtered, sorted and cut, numbers by value.',
    test: 'rows are selected, sorted and cut as requested; numbers by value',
  },
  'search.table-guard': {
    feature: 'Only documents of stored objects are read as tables, in bounds.',
    test: 'only objects of the store are read, through the guard, seldom and in bounds',
  },
  'search.together': {
    feature: 'Several Brokers are searched as one list, and one that is away is named.',
    test: 'two Brokers are searched over HTTP as one list, and an unreachable one is named',
  },
  'search.together-orders': {
    feature: 'Orders, filters, folding and groups hold for the merged list of several Brokers.',
    test: 'orders, filters, folding, groups and bounds of two Brokers equal those of one with all objects',
  },
  'search.together-corrected': {
    feature: 'A query that no Broker can answer is corrected once for all of them.',
    test: 'a query without matches is corrected once for all Brokers, or widened by all',
  },
  'search.together-wrong': {
    feature: 'A wrong answer of another Broker is an error of that Broker alone.',
    test: 'an answer with any invalid field is an error',
  },
  'search.together-hostile': {
    feature: 'Whatever another Broker answers, the honest ones are searched and it is named.',
    test: 'for any answer of another Broker, the honest Brokers are searched and that one is named',
  },
  'search.together-slow': {
    feature: 'A Broker that sends its answer byte by byte is not waited for beyond the limit.',
    test: 'waiting for a Broker that answers byte by byte has a time limit',
  },
  'search.examples': {
    feature: 'The first visit offers example queries that find something.',
    test: 'three examples, each of which finds something',
  },
  'search.checks-off': {
    feature: 'Tables and checks of links can be turned off.',
    test: 'a Broker without permission to check links or documents reports it',
  },
  'search.folded': {
    feature: 'A result that stands for several copies of a document names their other addresses.',
    test: 'the order, years, groups and copies are chosen by links',
  },
  'search.none-answers': {
    feature: '`garner search` names the Brokers that do not answer, and fails where none does.',
    test: 'a search of a Registry fails where no Broker answers, and names each with the reason',
  },
};
