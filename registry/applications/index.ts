// Servers that do not register themselves: a stranger applies, an administrator decides, and the Registry publishes an
// approved one under its own identity, marked as unsigned. Read application.ts, then application-desk.ts.
export type { Application } from './application.ts';
export { ApplicationBook } from './application-book.ts';
export { ApplicationDesk } from './application-desk.ts';
export { applicationControlRoutes, applicationRoute } from './application-routes.ts';
export { ForeignServers } from './foreign-servers.ts';
