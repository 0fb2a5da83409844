// Secrets and cookies of requests: `Credentials` by URL prefix, `CookieJar`, and a `Fetch` that sends both. Read
// credentials.ts, then credentials-fetch.ts.
export { CookieJar } from './cookie-jar.ts';
export { Credentials } from './credentials.ts';
export { withCredentials } from './credentials-fetch.ts';
