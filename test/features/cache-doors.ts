import type { Area } from './feature.ts';

export const cacheDoors: Area = {
  'cache.accelerator': {
    feature: 'An accelerator is served, explains itself, purges, and keeps what it has over a restart.',
    test: 'an accelerator serves, reports its state, explains and purges, and keeps its store after a restart',
  },
  'cache.origins': {
    feature: 'An origin for one host counts before the origin for every host.',
    test: 'a host that is named outweighs the origin for every host',
  },
  'cache.pass-host': {
    feature: 'With `cache.pass-host` each host has responses of its own and is asked for by its name.',
    test: 'hosts that are handed on are asked for by their names and have responses of their own',
  },
  'cache.hosts': {
    feature: 'A host that is not listed gets 421.',
    test: 'RFC 9110 7.4: a host that is not listed is misdirected (421)',
  },
  'cache.tls': {
    feature: 'A cache answers over TLS with its own certificate.',
    test: 'a door answers over TLS, and an upstream asks over TLS whom it trusts and nobody else',
  },
  'cache.tls-plain': {
    feature: 'Plain HTTP on the TLS port is answered with an explanation.',
    test: 'a request over TLS that is not valid is answered, and so is plain HTTP on a TLS port',
  },
  'cache.tls-redirect': {
    feature: 'A server that redirects everybody to TLS leads no client in a circle.',
    test: 'an origin that sends everybody to TLS leads nobody in a circle, hosts handed on',
  },
  'cache.tls-reload': {
    feature: 'SIGHUP has a cache read its certificate again, and a bad one changes nothing.',
    test: 'without a terminal SIGHUP makes a cache read its certificate again, and a bad one changes nothing',
  },
  'cache.forwarded': {
    feature: 'An accelerated server learns who asked by Forwarded, and a proxied one does not.',
    test: 'RFC 7239: an accelerated origin is told who asked, and a proxied one is not',
  },
  'cache.forwarded-for': {
    feature:
      'The address that asks is appended to X-Forwarded-For, and a client cannot pretend to be another.',
    test: 'an accelerated origin gets the address that asks, behind what was said before, and no other word of it',
  },
  'cache.proxy-access': {
    feature: 'By default an accelerator answers everybody and a proxy this machine and its peers.',
    test: 'where no rule fits, an accelerator is for everybody and a proxy for this machine and its peers',
  },
  'cache.access-rules': {
    feature: 'The first rule of `cache.access` that fits decides.',
    test: 'the first rule that fits decides',
  },
  'cache.access-names': {
    feature: "A client's name counts only when it leads back to its address.",
    test: 'a name counts only when it leads back to the address',
  },
  'cache.private-refused': {
    feature: 'Private addresses are refused unless they were named.',
    test: 'private addresses are refused when nobody typed them, as written and as resolved',
  },
  'cache.tunnels': {
    feature: 'CONNECT tunnels carry bytes both ways until both sides have ended.',
    test: 'RFC 9110 9.3.6: a tunnel carries bytes both ways until both sides have ended',
  },
  'cache.tunnels-refused': {
    feature: 'Tunnels are refused to ports, addresses and clients that they are not for.',
    test: 'tunnels are refused to ports, addresses and clients that they are not for',
  },
  'cache.tunnels-parent': {
    feature: 'A tunnel leads through a parent where it should, and a loop is noticed.',
    test: 'a tunnel leads through a parent where the router says so, and a loop is seen',
  },
  'cache.websockets': {
    feature: 'A WebSocket goes through an accelerator.',
    test: 'RFC 6455 4.1: a WebSocket goes through an accelerator',
  },
  'cache.client-limits': {
    feature: 'One client, and all together, get only as many requests as allowed.',
    test: 'one client, and all together, get only so much',
  },
  'cache.connection-limits': {
    feature: 'One client, and all together, have only as many connections as allowed.',
    test: 'no client and not all together have more connections than they may, in the lane or out of it',
  },
  'cache.slow-clients': {
    feature: 'A client that takes nothing is cut off, and what waits for it is bounded.',
    test: 'a client that takes nothing is cut off, and what waits for it is bounded until then',
  },
  'cache.long-url': {
    feature: 'Too long a URL gets 414 and an unknown method 501.',
    test: 'who sends an unknown method or too long a URL is told which and how long',
  },
  'cache.smuggling': {
    feature:
      'Whatever is sent to the cache, a server gets only valid requests and no more than were understood.',
    test: 'whatever is sent to a door, an origin hears valid requests, and no more than were understood',
  },
  'cache.lying-origin': {
    feature: 'Whatever a server says, an answer is taken only when it is valid.',
    test: 'whatever an origin says, an answer is taken only when it is valid, and as what it is',
  },
  'cache.bad-origins': {
    feature:
      'A server that stalls, lies, resets or sends garbage gives a typed error, and nothing of it is kept.',
    test: 'an origin that stalls, lies, resets or sends garbage: a typed error, nothing stored, and others are served',
  },
  'cache.endless': {
    feature: 'An endless response is held back by a slow reader and is not kept.',
    test: 'an endless content is held back by a slow reader, not stored, and aborted with its reader',
  },
  'cache.hostile-origin': {
    feature: 'Whatever a server does, nothing wrong is served and no answer is older than allowed.',
    test: 'whatever an origin does, nothing wrong is served and no answer is older than it may be: on disk',
  },
  'cache.kept-connections': {
    feature: 'Connections to servers are kept and used again.',
    test: 'connections are kept, and a request whose kept connection was closed is sent again on a new one',
  },
  'cache.not-twice': {
    feature: 'A request that may not be sent twice is sent once.',
    test: 'RFC 9112 9.3.1: what may not be sent twice goes out once, on a connection of its own',
  },
  'cache.fast-lane': {
    feature: 'The fast lane answers with the same bytes as without it, and counts alike.',
    test: '80 streams of requests get the same bytes with a lane and without, and count alike',
  },
  'cache.fast-lane-scanner': {
    feature: "What the fast lane accepts of forged heads node's parser reads in the same way.",
    test: "what the scanner accepts of 20000 forged heads, node's parser reads in the same way",
  },
  'cache.fast-lane-purge': {
    feature: 'Purges and changes take effect on the fast lane at once.',
    test: 'a purge by URL, prefix or tag, soft or not, takes effect on what is ready at once',
  },
  'cache.fast-lane-command': {
    feature: 'Hits of the fast lane are counted, and a purge reaches it.',
    test: 'the fast lane gives the same answers as the door, its hits are counted, and purges apply to it',
  },
  'cache.fast-lane-tls': {
    feature: 'Hits are answered in the fast lane over TLS too.',
    test: 'over TLS hits are answered in the lane with the same bytes, and all else by the server',
  },
  'cache.workers': {
    feature: 'A worker that is killed is started again, and only what was on its connections is lost.',
    test: 'a worker killed under load is started again, and only requests on its connections are lost',
  },
  'cache.workers-purge': {
    feature: 'What is purged or changed under load is given by no process any more.',
    test: 'after a purge or a change under load, no process serves the old response',
  },
  'cache.workers-count': {
    feature: 'Every hit is counted, whichever process gave it.',
    test: 'the hits of all processes are counted',
  },
  'cache.workers-end': {
    feature: 'The workers end with the process that has the store.',
    test: 'the end of the process with the store ends its workers, after a stop or a kill',
  },
  'cache.purge-method': {
    feature: '`PURGE` forgets what a GET of the same URL would get, and `*` at the end all that begins so.',
    test: 'PURGE forgets what a GET of the same would get',
  },
  'cache.purge-off': {
    feature: '`PURGE` is not allowed unless `cache.purge-access` says so, and never reaches the server.',
    test: 'RFC 9110 15.5.6: PURGE is not allowed where nobody may use it, and never goes to the origin',
  },
  'cache.purge-token': {
    feature: 'A client that may not purge gets 403, or 401 where a token would do.',
    test: 'who may not purge is told so, and how where a token would do',
  },
  'cache.purge-shared': {
    feature: 'An address by which other clients come too does not purge without a token.',
    test: 'an address that other clients come by too does not purge',
  },
  'cache.ftp': {
    feature: 'A proxy caches FTP files by their dates, validates them, and shows folders as pages.',
    test: 'vsftpd through a proxy as in 1994: files are cached by their dates, validated by them, and folders are pages',
  },
  'cache.gopher': {
    feature: 'A proxy shows Gopher menus as pages whose links lead on.',
    test: 'gophernicus and pygopherd through a proxy: menus are pages with working links, and items are fresh for an hour',
  },
  'cache.file-private': {
    feature: 'Private addresses are refused over FTP and Gopher too.',
    test: 'private addresses are refused by FTP and Gopher as by HTTP',
  },
  'cache.ftp-login': {
    feature: 'Basic authentication logs in by FTP.',
    test: 'Basic authentication logs in by FTP, and nothing of it can be a command',
  },
  'cache.ftp-page': {
    feature: 'The page of an FTP folder has links that can do no harm.',
    test: 'a folder by FTP is a page whose links can do no harm, and is found without its slash',
  },
  'cache.gopher-search': {
    feature: 'A Gopher search is a page with a form.',
    test: 'a search of Gopher is a page with a form, and its words are asked for',
  },
  'cache.file-ports': {
    feature: 'Ports of other protocols are asked by FTP or Gopher only where the operator named them.',
    test: 'ports of other protocols are asked only where the operator named them',
  },
};
