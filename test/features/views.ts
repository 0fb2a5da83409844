import type { Area } from './feature.ts';

export const views: Area = {
  'view.follows': {
    feature: 'A view holds exactly what its query finds, after any history, also over other views.',
    test: 'whatever happened, a view is what its query finds, within the views that it is made of',
  },
  'view.strict': {
    feature: 'A view whose query means something else than it says is refused.',
    test: 'a definition that means something else than it says is refused, and nothing of its batch is kept',
  },
  'view.search': {
    feature: 'A search within a view does not leave it.',
    test: 'a search within a view is not relaxed out of it',
  },
  'view.http': {
    feature: 'A view is defined, read, followed and removed over HTTP.',
    test: 'a view is defined, read, followed and removed over HTTP',
  },
  'view.command': {
    feature: 'Views are defined, listed and removed by command, with and without a serving Broker.',
    test: 'views by the command: while a Broker serves and while none does, and collected by another Broker',
  },
  'view.collect': {
    feature: 'Another Broker collects views side by side and learns what leaves them.',
    test: 'another Broker collects views of one Broker side by side, and learns what leaves them',
  },
  'view.hint': {
    feature: 'A Broker that collects a view gets a hint when the view changes.',
    test: 'a hint comes when the view changes',
  },
  'view.schemes': {
    feature: 'By every scheme the copy of a view equals the view.',
    test: 'by every scheme, after any changes, a copy of a view equals the view',
  },
  'view.changes': {
    feature: 'A client that asks for changes now and then knows the whole view at the end.',
    test: 'told a little at a time, whatever happens between, one knows the view at the end',
  },
  'view.feed': {
    feature: 'In the Atom feed of a view texts of objects are text and no link runs code.',
    test: 'what objects hold is text in a feed, and no link that runs',
  },
  'view.index': {
    feature: 'The views that a changed object matches are found without asking all of them.',
    test: 'queries without a term of the object are not asked, nor those that lack another one',
  },
  'view.webhook': {
    feature: 'A webhook receives what enters a view, changes in it and leaves it, signed with its secret.',
    test: 'a webhook is told what enters, changes and leaves, signed with its secret, and nothing of before',
  },
  'view.webhook-retry': {
    feature:
      'What a webhook did not accept is sent again, also after a restart, in order and once per object.',
    test: 'what could not be told is told later, after a restart too, in order and each object once',
  },
  'view.webhook-paused': {
    feature: 'A webhook that fails for long or answers 410 is paused and can be resumed.',
    test: 'who stays away is paused, who says 410 at once, and both are told everything when they are resumed',
  },
  'view.webhook-batches': {
    feature: 'Many changes travel to a webhook in messages of bounded length.',
    test: 'many changes travel in messages of bounded length',
  },
  'view.webhook-private': {
    feature: 'Webhooks at private addresses are not called unless they are allowed.',
    test: 'a private address that nobody allowed is not asked',
  },
};
