export { HttpClient, userAgent } from './http-client.ts';
export { Proxies, proxyFromEnvironment } from './proxy.ts';
