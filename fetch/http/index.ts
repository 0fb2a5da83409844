// HTTP/1.1 and HTTP/2: the client with its delays and retries, and the proxies and object caches in front of it. Read
// http-client.ts, then http-response.ts.
export { HttpClient, userAgent } from './http-client.ts';
export { Proxies, proxyFromEnvironment } from './proxy.ts';
