import type { Area } from './feature.ts';

export const fetch: Area = {
  'fetch.http': {
    feature: 'Pages are fetched over connections that are used again.',
    test: 'a plain answer, its fields, and connections that are used again',
  },
  'fetch.conditional': {
    feature: 'Conditional requests get an answer without a body when nothing has changed.',
    test: 'conditional requests and HEAD have no body and free their connection',
  },
  'fetch.encodings': {
    feature: 'Contents in gzip, deflate and Brotli are decoded, and damaged ones are typed errors.',
    test: 'every content encoding is undone, damaged and unknown ones are typed errors',
  },
  'fetch.bomb': {
    feature: 'A compressed bomb stops at the byte limit.',
    test: 'a bomb stops at the limit, and a declared length is enough to refuse',
  },
  'fetch.redirects': {
    feature: 'Redirects are followed, remembered and bounded.',
    test: 'redirects are followed and remembered, or handed back',
  },
  'fetch.private-addresses': {
    feature: 'Links and redirects do not lead into private networks unless the operator named the host.',
    test: 'nothing leads into private addresses but hosts of the operator, and no packet is sent',
  },
  'fetch.odd-addresses': {
    feature: 'Every odd spelling of a private address is refused.',
    test: 'every odd spelling of a private literal is refused as a URL',
  },
  'fetch.rebinding': {
    feature: 'A host name is refused when one of its addresses is private.',
    test: 'a name is refused when any of its addresses is private',
  },
  'fetch.allow-hosts': {
    feature: 'A private host that the operator named is allowed on that port only.',
    test: 'a host of the operator is allowed, with that port only',
  },
  'fetch.retries': {
    feature: 'A busy server is asked again, later each time, and its `Retry-After` is obeyed within reason.',
    test: 'a request to a busy server is repeated, later each time, at the time it demands within reason',
  },
  'fetch.timeouts': {
    feature: 'Silence before or within an answer ends in a timeout.',
    test: 'silence before, within and behind an answer ends in a timeout',
  },
  'fetch.backoff': {
    feature: 'The pauses between repetitions double, vary and have a maximum.',
    test: 'backoff doubles, varies and has an end',
  },
  'fetch.tls': {
    feature: 'An unknown certificate and a wrong host name are refused over https.',
    test: 'https: a trusted certificate is accepted, an unknown one and a wrong name are not',
  },
  'fetch.http2': {
    feature: 'HTTP/2 gives the same answers as HTTP/1.1.',
    test: 'HTTP/2: pages, 304, gzip, redirects, errors and Retry-After as over HTTP/1.1',
  },
  'fetch.http2-fallback': {
    feature: 'With HTTP/2 turned on, a server that speaks only HTTP/1.1 is spoken to in that.',
    test: 'HTTP/2: a server that speaks only HTTP/1.1 gets that, one request at a time',
  },
  'fetch.http2-nginx': {
    feature: 'HTTP/2 works with nginx also where it closes connections under way.',
    test: 'HTTP/2 of Debian’s nginx: answers as of any server, also where it closes every twentieth request',
  },
  'fetch.politeness': {
    feature: 'Requests to one host keep their distance and their number at a time.',
    test: 'requests to one host keep their distance and number, and none is forgotten',
  },
  'fetch.held-host': {
    feature: 'A host that asked for a pause is left alone while others are asked.',
    test: 'a held host waits, the others do not',
  },
  'fetch.rate': {
    feature: 'A rate of requests holds for all hosts together.',
    test: 'a rate holds for all hosts and clients together, beside the delay of each host',
  },
  'fetch.waits': {
    feature: 'A program that waits for a host reports that and why.',
    test: 'a wait for a host is reported with its reason',
  },
  'fetch.robots': {
    feature: 'The rules of robots.txt decide as RFC 9309 says, and the verdict names the line.',
    test: 'the verdict names the line that decided',
  },
  'fetch.robots-groups': {
    feature: 'The group of robots.txt for Garner is chosen by name before the group for all.',
    test: 'groups: by name before *, merged, case-insensitive names, versions are ignored',
  },
  'fetch.robots-longest': {
    feature: 'The longest matching rule of robots.txt wins, and Allow wins a tie.',
    test: 'the longest match wins, and Allow wins a tie',
  },
  'fetch.robots-wildcards': {
    feature: 'Wildcards and end marks of robots.txt are obeyed.',
    test: 'wildcards and the end mark',
  },
  'fetch.robots-failing': {
    feature: 'A site whose robots.txt cannot be read is closed for now, and one without robots.txt is open.',
    test: 'a missing file allows all, a failing server nothing for now, a stored copy is used on',
  },
  'fetch.cookies': {
    feature: 'A cookie goes back to the host that set it and to no other.',
    test: 'a cookie goes back to the host that set it, below its path, and nowhere else',
  },
  'fetch.cookie-domains': {
    feature: 'A cookie for a domain counts only when the operator named that domain.',
    test: 'a domain counts only when the operator typed it: no public suffix, no stranger’s parent',
  },
  'fetch.credentials': {
    feature: 'Credentials go only to the URLs that they are given for.',
    test: 'the longest prefix decides, and a secret goes nowhere else',
  },
  'fetch.credential-redirects': {
    feature: 'After a redirect a request carries only what belongs to its own URL.',
    test: 'redirects: each request carries what belongs to its own URL and nothing of the one before',
  },
  'fetch.credential-faults': {
    feature: 'A mistake in the credentials is named with its key and never with the secret.',
    test: 'a fault is reported with its key and its remedy, and never with the secret',
  },
  'fetch.basic-auth': {
    feature: 'Pages behind basic authentication of nginx are read with credentials.',
    test: 'Debian’s nginx with basic auth: refused without, read with',
  },
  'fetch.hidden-passwords': {
    feature: 'A user name or password in a URL is never repeated in messages.',
    test: 'the user name and password of a URL are not repeated, and nothing else is lost',
  },
  'fetch.proxy-environment': {
    feature: '`http_proxy`, `https_proxy` and `no_proxy` of the environment are obeyed.',
    test: 'the environment is read in the usual way',
  },
  'fetch.no-proxy': {
    feature: 'Hosts in the list for direct access are asked without the proxy.',
    test: 'direct requests: no-proxy by name, domain, port, address, and this machine itself',
  },
  'fetch.proxy': {
    feature: 'A proxy is asked for http as a whole URL and for https through a tunnel.',
    test: 'Debian’s tinyproxy: http goes to the proxy whole, https goes through a tunnel',
  },
  'fetch.object-cache': {
    feature: 'With `fetch.cache` all schemes are asked of one object cache.',
    test: 'a cache on this machine gets every scheme by its whole URL, and nothing else gets a request',
  },
  'fetch.object-cache-elsewhere': {
    feature: 'A cache on another machine gets https only as a tunnel.',
    test: 'a cache elsewhere gets https only through a tunnel, and never URLs of this machine',
  },
  'fetch.object-cache-silent': {
    feature: 'An object cache that does not answer is named in the error, and nothing is asked past it.',
    test: 'a cache that does not answer is named, and so is one that refuses',
  },
  'fetch.object-cache-rules': {
    feature: 'Conditional requests, robots.txt and the address guard hold through an object cache.',
    test: 'conditions, robots.txt and the address guard hold through a cache',
  },
  'fetch.object-cache-listings': {
    feature: 'FTP folders and Gopher menus come through a cache as from their servers.',
    test: 'folders, files and menus come through a cache as they come from their servers',
  },
  'fetch.ftp': {
    feature: 'Files are read by FTP with date and size over a kept connection.',
    test: 'a file streams in, with its date and size, over the open connection',
  },
  'fetch.ftp-conditional': {
    feature: 'A file by FTP is not read again while its date is the same.',
    test: 'as a Fetch: status, date and conditional requests',
  },
  'fetch.ftp-connection': {
    feature: 'One FTP connection is kept from file to file.',
    test: 'one connection is used from file to file, and a new one after the server closed it',
  },
  'fetch.ftp-bounce': {
    feature: 'FTP data is read only from the host that was connected to.',
    test: 'data is read from the host connected to only',
  },
  'fetch.ftp-names': {
    feature: 'FTP names of any bytes can be asked for, and none leads upwards or holds a command.',
    test: 'URLs: any name survives, and no path leads upwards or holds a command',
  },
  'fetch.ftp-endless': {
    feature: 'An FTP listing or file without an end is cut at its bound.',
    test: 'a listing or file without end is cut at its bound, and an abort ends at once',
  },
  'fetch.ftp-login': {
    feature: 'The FTP user and password come from the configuration and are shown in no error.',
    test: 'user and password come from configuration, and no error shows them',
  },
  'fetch.gopher-menu': {
    feature: 'Gopher menus are read as RFC 1436 defines them.',
    test: 'a menu as RFC 1436 shows it',
  },
  'fetch.gopher-search': {
    feature: 'A Gopher search is a URL of its own (RFC 4266).',
    test: 'RFC 4266 2.2: a search follows a tab, at a place of type 7 alone',
  },
};
