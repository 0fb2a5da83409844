// The Broker itself, which joins the other rooms, and the orders and settings that change while it serves.
// Read broker.ts, then live-settings.ts.
export { Broker } from './broker.ts';
export type { LiveSetting } from './live-settings.ts';
export { firstCollecting } from './source-summaries.ts';
