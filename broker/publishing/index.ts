// Documents that publishers without a wire session send to a Broker over HTTP. Read publishers-desk.ts, then publishers.ts.
export { openPublishing } from './open-publishing.ts';
