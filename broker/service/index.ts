export { Broker } from './broker.ts';
export type { LiveSetting } from './live-settings.ts';
