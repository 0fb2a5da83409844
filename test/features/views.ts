import type { Area } from './feature.ts';

export const views: Area = {
  'view.follows': {
    feature: 'A view holds exactly what its query finds, after any history, also over other views.',
    test: 'after any history, a view has the objects that its query finds, within the views that it uses',
  },
  'view.strict': {
    feature: 'A view whose query means something else than it says is refused.',
    test: 'an unusable definition is refused, with all of its batch',
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
    test: 'another Broker collects several views of one Broker, and removes objects that leave them',
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
    test: "a client that reads small batches ends with the view's state, whatever happens between",
  },
  'view.feed': {
    feature: 'In the Atom feed of a view texts of objects are text and no link runs code.',
    test: 'values of objects are text in a feed, and no link can run code',
  },
  'view.index': {
    feature: 'The views that a changed object matches are found without asking all of them.',
    test: 'queries without a term of the object are not evaluated, nor those that lack another one',
  },
  'view.webhook': {
    feature: 'A webhook receives what enters a view, changes in it and leaves it, signed with its secret.',
    test: 'a webhook is sent objects that enter, change and leave, signed with its secret, and none from before',
  },
  'view.webhook-retry': {
    feature:
      'What a webhook did not accept is sent again, also after a restart, in order and once per object.',
    test: 'undelivered changes are sent later, after a restart too, in order and each object once',
  },
  'view.webhook-paused': {
    feature: 'A webhook that fails for long or answers 410 is paused and can be resumed.',
    test: 'an unreachable receiver is paused, one that answers 410 at once, and both are sent everything when resumed',
  },
  'view.webhook-batches': {
    feature: 'Many changes travel to a webhook in messages of bounded length.',
    test: 'many changes travel in messages of bounded length',
  },
  'view.webhook-private': {
    feature: 'Webhooks at private addresses are not called unless they are allowed.',
    test: 'a private address that is not allowed is not contacted',
  },
  'views.ages': {
    feature: 'A view that compares with an age is refused, because the age is another time tomorrow.',
    test: 'a view may not compare with an age, which is another time tomorrow, and may have a word such as 30d',
  },
};
