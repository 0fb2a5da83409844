// How Garner reads the Web. One function type, `Fetch`, asks for a URL and answers with a status, headers and a
// body that streams in decoded and bounded; `HttpClient` is its implementation for http and https: polite to each
// host, patient with busy servers, and closed to private networks that nobody named; `Proxies` leads it through a proxy
// or an object cache, and `FtpThroughCache` and `GopherThroughCache` those who read by FTP and Gopher. `RobotsTxt` says which URLs a
// site lets us ask for, and by which line. What is done with a body is the caller's business.
export { AddressGuard, isLoopbackHost, isPublicAddress } from './address-guard.ts';
export { decodeBody } from './body-decoder.ts';
export { CookieJar, type CookieJarOptions, splitSetCookie } from './cookie-jar.ts';
export { Credentials } from './credentials.ts';
export { credentialsErrors } from './credentials-errors.ts';
export { withCredentials } from './credentials-fetch.ts';
export { fetchErrors, withoutUser } from './errors.ts';
export { requestDone, requestRetried, requestWaits } from './events.ts';
export {
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  type Redirect,
  readBody,
  readStart,
} from './fetch.ts';
export {
  type FtpAskOptions,
  FtpClient,
  type FtpClientOptions,
  type FtpEntry,
  type FtpFile,
  type FtpLogin,
  type FtpReadOptions,
  isMissing,
} from './ftp-client.ts';
export { ftpErrors } from './ftp-errors.ts';
export { wholeResponse } from './ftp-response.ts';
export { SilenceTimer } from './ftp-silence.ts';
export { type FtpAccess, FtpThroughCache } from './ftp-through-cache.ts';
export { ftpName, ftpPlace, ftpSegment } from './ftp-urls.ts';
export { GopherClient, type GopherClientOptions, isMissingMenu } from './gopher-client.ts';
export { gopherErrors } from './gopher-errors.ts';
export { type GopherItem, type GopherMenu, parseMenu } from './gopher-menu.ts';
export { type GopherAccess, GopherThroughCache } from './gopher-through-cache.ts';
export { type GopherPlace, gopherPlace, gopherUrl } from './gopher-urls.ts';
export { type FetchCounts, HttpClient, type HttpClientOptions, userAgent } from './http-client.ts';
export { type Listing, listingType, printListing } from './listings.ts';
export { objectCacheErrors } from './object-cache-errors.ts';
export { Proxies, type ProxyConnections, type ProxySettings, proxyFromEnvironment } from './proxy.ts';
export { proxySettings } from './proxy-settings.ts';
export { type RobotsOptions, type RobotsPolicy, RobotsTxt, type RobotsVerdict } from './robots-policy.ts';
export { parseRobots, type RobotsRule, type RobotsRules } from './robots-rules.ts';
export { fetchSettings } from './settings.ts';
export { TokenBucket } from './token-bucket.ts';
