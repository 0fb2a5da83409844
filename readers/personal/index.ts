// Calendars and address books: iCalendar and vCard share the form of their lines. Read content-lines.ts, then
// vcards.ts and calendar.ts.
export { type CalendarEntry, type CalendarFacts, readCalendar } from './calendar.ts';
export { type Card, vcards } from './vcards.ts';
