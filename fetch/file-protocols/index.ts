// FTP and Gopher, each as a client of servers and as a client of an object cache that speaks them. Read ftp-client.ts,
// then ftp-through-cache.ts; the files for Gopher correspond to them.

export { ftpErrors, gopherErrors } from './errors.ts';
export { type FtpAskOptions, FtpClient, type FtpEntry, type FtpLogin, isMissing } from './ftp-client.ts';
export { wholeResponse } from './ftp-response.ts';
export { type FtpAccess, FtpThroughCache } from './ftp-through-cache.ts';
export { ftpName, ftpPlace, ftpSegment } from './ftp-urls.ts';
export { GopherClient, isMissingMenu } from './gopher-client.ts';
export { type GopherItem, type GopherMenu, parseMenu } from './gopher-menu.ts';
export { type GopherAccess, GopherThroughCache } from './gopher-through-cache.ts';
export { type GopherPlace, gopherPlace, gopherUrl } from './gopher-urls.ts';
export { IdleTimer } from './idle-timer.ts';
export { type Listing, listingType, printListing } from './listings.ts';
