import type { Area } from './feature.ts';

export const web: Area = {
  'web.first-visit': {
    feature: 'The first visit of the search page shows how much there is, and the box is ready.',
    test: 'the first visit shows the number of objects, and the box is ready',
  },
  'web.typing': {
    feature: 'Typing gives results with every match in sight.',
    test: 'typing gives results, with every match in sight, and the box never moves',
  },
  'web.typing-real': {
    feature: 'Typing over real pages gathered by the command gives results.',
    test: 'typing gives results',
  },
  'web.matches': {
    feature: 'Every result over real pages shows a form of a word of the query.',
    test: 'every result shows a form of a word of the query, in sight',
  },
  'web.open': {
    feature: 'Enter and a click arrive at the real page, and Back returns.',
    test: 'Enter and a click open the real page, which works; Back returns',
  },
  'web.keys': {
    feature: 'The search page works by keyboard: slash, arrows, Enter and Esc.',
    test: 'keys: / to the box, arrows through results, Enter opens, Esc clears',
  },
  'web.completion': {
    feature: 'The right arrow takes the completion of the last word.',
    test: 'the right arrow accepts the completion of the last word',
  },
  'web.words': {
    feature: 'A list of completions under the box works by arrows, Enter and Esc.',
    test: 'suggested words under the box: arrows move through them, Enter selects one, Esc closes them',
  },
  'web.back': {
    feature: 'Back leads through searches and not through letters.',
    test: 'Back leads through searches, not through letters',
  },
  'web.filters': {
    feature: 'Filters by site and type count, combine and are removed, and pages turn.',
    test: 'filters by site and type count, combine and come off; pages turn',
  },
  'web.choices': {
    feature: 'Order, years, groups and copies are chosen by links.',
    test: 'the order, years, groups and copies are chosen by links',
  },
  'web.no-result': {
    feature: 'A search without result says what was understood, what was meant and who was asked.',
    test: 'no result shows the understood query, a suggestion and the searched sites',
  },
  'web.corrected': {
    feature: 'A corrected query is shown with the way back.',
    test: 'a corrected query is shown, with a link to the original',
  },
  'web.notices': {
    feature: 'A silent site and a relaxed query are shown above the results.',
    test: 'a silent site and a relaxed query are shown above the results',
  },
  'web.trouble': {
    feature: 'Trouble of the server is shown, the results stay, and it goes away by itself.',
    test: 'an error is shown, the results stay, and it disappears by itself or after a retry',
  },
  'web.no-scripts': {
    feature: 'The search page works with scripts off.',
    test: 'with scripts off: the form, the filters and the pages work',
  },
  'web.safe-text': {
    feature: 'What documents say stays text on the search page.',
    test: 'contents of documents stay text',
  },
  'web.phone': {
    feature: 'On a phone and at 200 % zoom nothing of the search page is cut off.',
    test: 'on a phone, at 200 % zoom and at 320 pixels nothing is cut off; filters fold',
  },
  'web.accessible': {
    feature: 'The search page passes axe-core in light and dark and in every state.',
    test: 'axe-core finds nothing, in light and dark, in every state',
  },
  'web.motion': {
    feature: 'Reduced motion is obeyed, and a print has the results alone.',
    test: 'with reduced motion nothing moves, and print has only the results',
  },
  'web.light': {
    feature: 'The first view of the search page weighs less than 60 KB and comes from one place.',
    test: 'the first view has less than 60 KB and comes from one origin',
  },
  'web.dead-link': {
    feature: 'A reader reports a dead link, and the result stays while it is checked.',
    test: 'a reported dead link is checked, and the result stays',
  },
  'web.through-cache': {
    feature: 'Results open through an object cache where `broker.cache` names one.',
    test: 'results open through an Object Cache where there is one',
  },
  'web.links': {
    feature: 'Links of results lead only to web and file servers.',
    test: 'links lead only to web and file servers, and never hide the host',
  },
  'web.markup': {
    feature: 'No string from elsewhere becomes markup or a link that runs code.',
    test: 'no string from elsewhere becomes markup or a link that runs',
  },
  'web.failing-api': {
    feature: 'A failing API still gives a page that says what to do.',
    test: 'a failing API still gives a page that says what to do, with the status of the failure',
  },
  'web.assets': {
    feature: 'Scripts and styles are cached under their hash.',
    test: 'assets: kept for good under their hash, checked under their plain name, nothing else is served',
  },
  'web.status': {
    feature: 'Browsers get `/status` as a page and programs as JSON.',
    test: 'browsers get a page of /status, everybody else the same JSON as before',
  },
  'web.status-rounds': {
    feature: 'The status page shows the rounds of each source as a chart and as a table.',
    test: 'each source has its rounds as bars and as a table, and what its schemes took',
  },
  'web.status-browser': {
    feature: 'The status page of a Broker works in a browser.',
    test: 'the status page in a browser',
  },
  'web.status-push': {
    feature: 'A source that pushes and is away is shown as waited for and not as a fault.',
    test: 'a source that pushes and is away is waited for, which is no fault',
  },
  'web.table': {
    feature: 'The table page shows, filters and sorts rows without a script.',
    test: 'the page asks the API for what its address says, and shows it without a script',
  },
  'web.table-safe': {
    feature: 'No cell or column of a table becomes markup.',
    test: 'no cell, column or address becomes markup or a link that runs',
  },
  'web.layers': {
    feature: 'In pictures of layers no line passes through a box.',
    test: 'with 5 columns no box lies on another, on a line or outside the picture',
  },
  'web.navigation': {
    feature: 'Every page of every server shows one navigation and marks its own entry; it needs no script.',
    test: 'every page of every server shows one navigation, by keyboard, on a phone and without scripts',
  },
};
