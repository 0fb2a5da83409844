import type { Area } from './feature.ts';

export const crawling: Area = {
  'crawling.canonical': {
    feature: 'A canonical address is recorded, and on its own host it is the address of the object.',
    test: 'case 57: the canonical address of a page is recorded, and on its own host it is the address of the object',
  },
  'crawling.canonical-mistakes': {
    feature:
      'A canonical address that leads in a circle, to an error, to the home page or to another text is recognised as a mistake.',
    test: 'case 57: canonical addresses that are mistakes leave the page its own address',
  },
  'crawling.traps': {
    feature: 'A calendar without end is braked, and the report names its pattern and the setting.',
    test: 'case 65: a calendar without end is braked with its pattern, and the pages behind it are gathered',
  },
  'crawling.shapes': {
    feature: 'Addresses that a program makes are recognised by their shape.',
    test: 'addresses that a program makes have one shape: numbers, months, tokens, repeated folders, parameters',
  },
  'crawling.likeness': {
    feature: 'Pages that differ only in days, small numbers and their own address show nothing new.',
    test: 'pages are alike by their pieces of text, whatever day and address of their own they show',
  },
  'crawling.news': {
    feature: 'A series of pages that shows news now and then is gathered to its end.',
    test: 'a pattern is left out after its pages without news, and one that shows news now and then is not',
  },
  'crawling.hostile': {
    feature:
      'All 200 real pages of a hostile site are gathered with at most 3,000 requests, and each trap is named.',
    test: 'a hostile site: 200 real pages among traps are gathered, and each trap is named',
  },
  'crawling.sitemaps': {
    feature: 'Sitemaps are read as XML, text, RSS and Atom, each plain or gzipped.',
    test: 'case 67: sitemaps as XML, text, RSS and Atom, plain and gzipped, give their pages',
  },
  'crawling.cookies': {
    feature: 'A page that is sent only with a cookie is gathered.',
    test: 'case 68: a page behind a cookie is gathered, whatever the way to the cookie',
  },
  'crawling.equal': {
    feature:
      'Equal content at several addresses is one object that names the others and the redirects to it.',
    test: 'equal content at several addresses is one object that names the others, redirects too',
  },
  'crawling.parameters': {
    feature:
      'Session and tracking parameters are taken off addresses, by a list and by what the pages teach.',
    test: 'listed parameters are no part of an address, nor are those that change nothing; others are',
  },
  'crawling.listed-parameters': {
    feature: 'Listed parameters are recognised in queries and behind path segments.',
    test: 'listed parameters are taken off queries and path segments, whatever their case and separator',
  },
  'crawling.parameters-setting': {
    feature: 'A setting replaces the list of parameters, and others turn learning and traps off.',
    test: 'settings replace the list of parameters, and turn learning and traps off',
  },
  'crawling.learned-sessions': {
    feature:
      'A session of any name is learned where pages are the same without it, also with one value on each page.',
    test: 'a session of another name on each address is no part of it, in this run and the next',
  },
  'crawling.two-sessions': {
    feature: 'Two sessions in each address are no part of it.',
    test: 'two sessions in each address are no part of it',
  },
  'crawling.learned-parameters': {
    feature: 'A parameter is learned only when the address without it gives the same page.',
    test: 'a parameter is learned from equal pages alone, and only when the address without it is equal too',
  },
  'crawling.session-values': {
    feature: 'Session values in the links of a page do not make it a different page.',
    test: 'sessions in the links of a page are no content, other values are',
  },
  'crawling.soft-404': {
    feature: 'A page for missing addresses with status 200 is recognised and gets no object.',
    test: 'a page for missing addresses with status 200 is no document, however it looks',
  },
  'crawling.robots': {
    feature:
      'The wishes of pages and headers about indexing and links are obeyed, and languages are recorded.',
    test: 'noindex, nofollow and X-Robots-Tag are obeyed, refresh and Link headers followed, languages recorded',
  },
  'crawling.xml-base': {
    feature: 'Relative links of XML are resolved by `xml:base`.',
    test: 'relative links of XML are resolved by xml:base, the nearest first',
  },
};
