import type { Area } from './feature.ts';

export const formats: Area = {
  'format.feed': {
    feature:
      'An RSS, Atom or JSON Feed document gives its facts, and titles, texts and addresses of its entries.',
    test: 'feeds give facts, authors, dates, texts without markup and all addresses',
  },
  'format.feed-names': {
    feature: 'A feed or an outline is recognised by its bytes under any name and header.',
    test: 'feeds and outlines are recognised under any name and header',
  },
  'format.feed-loose': {
    feature: 'A feed with faults that are common on the Web is read as far as possible.',
    test: 'case 38: RSS with blanks before its declaration and bare signs is read loosely',
  },
  'format.feed-addresses': {
    feature: 'A feed’s hubs and own address are read as data.',
    test: 'hubs and own address of feeds',
  },
  'format.feed-other': {
    feature: 'A file with the name of a feed that is other XML or JSON is read as that.',
    test: 'a file with the name of a feed that is other XML or JSON is read as that',
  },
  'format.html-descriptions': {
    feature: 'HTML in the descriptions of feeds, outlines and calendars becomes plain text.',
    test: 'a piece of HTML becomes its text, and other text stays',
  },
  'format.opml': {
    feature: 'An OPML document gives its lines, and the feeds and pages that it lists.',
    test: 'outlines give their lines, feeds and addresses',
  },
  'format.notebook': {
    feature: 'A Jupyter notebook gives Markdown, code and printed results, and no pictures.',
    test: 'notebooks of versions 3 and 4 give titles, code and printed results, and no pictures',
  },
  'format.notebook-cut': {
    feature: 'A notebook that breaks off gives the cells before.',
    test: 'a notebook that breaks off gives the cells before, and other JSON is read as JSON',
  },
  'format.notebook-bytes': {
    feature: 'A notebook is recognised without its ending.',
    test: 'a notebook is recognised without its ending',
  },
  'format.mhtml': {
    feature: 'A saved page (MHTML) is read as the page, with its frames and the addresses where it was.',
    test: 'a saved page gives title, author, texts of its frames and addresses where it was',
  },
  'format.mhtml-bytes': {
    feature: 'A saved page and a message of Apple Mail are recognised by their first lines.',
    test: 'a saved page and a message of Apple Mail are recognised by their first lines',
  },
  'format.calendar': {
    feature: 'A calendar (iCalendar, vCalendar) gives names, times, places and people.',
    test: 'a calendar gives names, times, places and people, without alarms and markup',
  },
  'format.calendar-cut': {
    feature: 'A calendar with entries without an end, or cut, is read as far as it goes.',
    test: 'entries without an end, and a calendar cut in the middle, are read as far as they go',
  },
  'format.vcard': {
    feature: 'A card (vCard 2.1 to 4.0) gives name, organisation and addresses, in any charset.',
    test: 'cards of versions 2.1 to 4.0 give names, organisations and addresses in their charsets',
  },
  'format.address-book': {
    feature: 'An address book has the names on its cards.',
    test: 'an address book has the names on its cards, and the name of its file',
  },
  'format.personal-bytes': {
    feature: 'Cards and calendars are recognised by their first line.',
    test: 'cards and calendars are recognised by their first line',
  },
  'format.tnef': {
    feature: 'A `winmail.dat` gives sender, dates and text, and its attachments are objects.',
    test: 'a message of Outlook gives sender, dates, categories and text, and its attachments are objects',
  },
  'format.tnef-mail': {
    feature: 'A mail whose text is only in `winmail.dat` has that text.',
    test: 'case 45: a message that is all in winmail.dat has its text, and the attachment is an object',
  },
  'format.tnef-cut': {
    feature: 'A `winmail.dat` that breaks off gives what comes before.',
    test: 'a message cut anywhere gives what comes before',
  },
  'format.mail-signed': {
    feature: 'A mail that is within its signature (S/MIME) has its text and attachments.',
    test: 'a message within its signature is read with its attachments',
  },
  'format.mail-broken': {
    feature: 'A mail of no valid type, or without its boundary, has its text.',
    test: 'a message of a type that is not valid, or without its boundary, is a text',
  },
  'format.emlx': {
    feature: 'A message of Apple Mail (.emlx) is read as mail, without its list of properties.',
    test: 'a message of Apple Mail ends where its length or its list says',
  },
  'format.org': {
    feature: 'An Org document gives keywords, headlines and text without notation.',
    test: 'Org gives keywords, headlines without their marks, and text without notation',
  },
  'format.org-bytes': {
    feature: 'Org is recognised by its ending and its first keywords.',
    test: 'Org is recognised by its ending and its first keywords',
  },
  'format.fictionbook': {
    feature: 'A FictionBook gives its description, titles and text, and counts pictures.',
    test: 'a FictionBook gives its description, titles and text, and counts pictures',
  },
  'format.server-pages': {
    feature:
      'ASP, JSP and PHP pages are read as pages without their programs; PHP without a page is source code.',
    test: 'pages with programs give the page, and programs without a page are source code',
  },
  'format.server-code': {
    feature: 'A program in a page ends where its language ends it, also within quotation marks and comments.',
    test: 'programs in a page end where their language ends them',
  },
};
