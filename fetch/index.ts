// How Garner reads the Web. One function type, `Fetch`, requests a URL and returns a status, headers and a body
// that streams in decoded and bounded. client/ has its types, the delays per host and the address guard. http/ has
// `HttpClient` and `Proxies`. file-protocols/ has FTP and Gopher, direct or through an object cache. credentials/
// has secrets and cookies. robots/ has robots.txt. Read client/fetch.ts, then http/http-client.ts.
export {
  AddressGuard,
  decodeBody,
  type Fetch,
  type FetchRequest,
  type FetchResponse,
  isLoopbackHost,
  isPublicAddress,
  objectCacheErrors,
  readBody,
  readStart,
  retryAfterMs,
  TokenBucket,
} from './client/index.ts';
export { CookieJar, Credentials, withCredentials } from './credentials/index.ts';
export { connectFault, credentialsErrors, fetchErrors, withoutUser } from './errors.ts';
export {
  type FtpAccess,
  type FtpAskOptions,
  FtpClient,
  type FtpEntry,
  type FtpLogin,
  FtpThroughCache,
  ftpErrors,
  ftpName,
  ftpPlace,
  ftpSegment,
  type GopherAccess,
  GopherClient,
  type GopherItem,
  type GopherMenu,
  type GopherPlace,
  GopherThroughCache,
  gopherErrors,
  gopherPlace,
  gopherUrl,
  IdleTimer,
  isMissing,
  isMissingMenu,
  type Listing,
  listingType,
  parseMenu,
  printListing,
  wholeResponse,
} from './file-protocols/index.ts';
export { HttpClient, Proxies, proxyFromEnvironment, userAgent } from './http/index.ts';
export { type RobotsPolicy, RobotsTxt, type RobotsVerdict } from './robots/index.ts';
