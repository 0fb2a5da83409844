// How Garner reads the Web. One function type, `Fetch`, asks for a URL and answers with a status, headers and a
// body that streams in decoded and bounded; `HttpClient` is its implementation for http and https: polite to each
// host, patient with busy servers, and closed to private networks that nobody named. `RobotsTxt` says which URLs a
// site lets us ask for, and by which line. What is done with a body is the caller's business.
export { isLoopbackHost, isPublicAddress } from './address-guard.ts';
export { decodeBody } from './body-decoder.ts';
export { fetchErrors } from './errors.ts';
export { requestDone, requestRetried } from './events.ts';
export {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  type Redirect,
  readBody,
  readStart,
} from './fetch.ts';
export { type FetchCounts, HttpClient, type HttpClientOptions, userAgent } from './http-client.ts';
export { type RobotsOptions, type RobotsPolicy, RobotsTxt, type RobotsVerdict } from './robots-policy.ts';
export { parseRobots, type RobotsRule, type RobotsRules } from './robots-rules.ts';
export { fetchSettings } from './settings.ts';
