// How Garner reads the Web. One function type, `Fetch`, asks for a URL and answers with a status, headers and a
// body that streams in decoded and bounded; `HttpClient` is its implementation for http and https: polite to each
// host, patient with busy servers, and closed to private networks that nobody named; `Proxies` leads it through a proxy
// or an object cache, and `FtpThroughCache` and `GopherThroughCache` those who read by FTP and Gopher. `RobotsTxt` says which URLs a
// site lets us ask for, and by which line. What is done with a body is the caller's business.
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
  TokenBucket,
} from './client/index.ts';
export { CookieJar, Credentials, credentialsErrors, withCredentials } from './credentials/index.ts';
export { fetchErrors, withoutUser } from './errors.ts';
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
