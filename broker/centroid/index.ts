// The centroid of a Broker: for each template type and attribute the words that occur, as WHOIS++ index servers read it
// (RFC 1913). Read centroid-text.ts, then sorted-pages.ts.
export { centroidRoute } from './centroid-route.ts';
