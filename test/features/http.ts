import type { Area } from './feature.ts';

export const http: Area = {
  'http.scopes': {
    feature: 'A request with no token, an unknown token or too small a scope is refused.',
    test: 'scopes: no token, unknown token, a token of too small a scope, enough',
  },
  'http.require-token': {
    feature: 'With `http.require-token` every path asks for a token.',
    test: 'requireToken closes public paths too, unknown ones included',
  },
  'http.error-shape': {
    feature: 'Errors over HTTP have one shape and reveal nothing internal.',
    test: 'errors keep one shape and leak nothing',
  },
  'http.error-page': {
    feature: 'A browser gets errors as a page with everything escaped.',
    test: 'people get a page instead, with everything escaped',
  },
  'http.methods': {
    feature: 'Unknown paths get 404, wrong methods 405 with Allow, and OPTIONS works.',
    test: '404, 405 with Allow, OPTIONS',
  },
  'http.security-headers': {
    feature: 'Every answer has a Content-Security-Policy and the other security headers.',
    test: 'every answer has security headers',
  },
  'http.compression': {
    feature: 'Answers are compressed by gzip or Brotli where the client accepts it and it pays.',
    test: 'compression by what is accepted, only where it pays',
  },
  'http.etag': {
    feature: 'A client that has the current version gets 304.',
    test: '304 for a known entity tag, compressed or not, and on HEAD',
  },
  'http.head': {
    feature: 'HEAD has the headers of GET and no body.',
    test: 'HEAD has the headers of GET and no body, and starts no stream',
  },
  'http.port-in-use': {
    feature: 'A port in use is an error with the cure.',
    test: 'a port in use and an address elsewhere are named with a hint',
  },
  'http.openapi': {
    feature: '`/openapi.json` describes the server as OpenAPI 3.1.',
    test: 'the OpenAPI description has the structure that OpenAPI 3.1 requires',
  },
  'http.health': {
    feature: '`/health` answers 200 when all is well or degraded, and 503 when a check fails.',
    test: 'health is 200 when all is well or degraded, and 503 when one check fails',
  },
  'http.metrics': {
    feature: '`/metrics` answers in the text format of Prometheus.',
    test: 'metrics come from their provider with its content type',
  },
  'http.role-metrics': {
    feature: '`/metrics` has the series of the roles that a process has.',
    test: 'a process is measured by the roles that it has, and each but once',
  },
  'http.loopback-names': {
    feature:
      'A server on loopback answers for loopback names only, so that a foreign page cannot reach it by DNS.',
    test: 'a loopback server answers for loopback names only',
  },
  'http.host-names': {
    feature: 'Host names can be configured, and a server on every address takes any name without them.',
    test: 'a server on every address takes any name, unless names are configured',
  },
  'http.cross-origin': {
    feature: 'Pages of other origins cannot post to a server.',
    test: 'pages of other origins may not post',
  },
  'http.cors': {
    feature: 'Pages of the origins in `http.cors-origins` may read, and pages of no other origin.',
    test: 'pages of a listed origin may read the reading routes, and no other page may',
  },
  'http.cors-administration': {
    feature: 'Administration is shared with pages of no other origin, also when every origin is admitted.',
    test: 'administration and pages are shared with no origin, whatever is listed',
  },
  'http.cors-preflight': {
    feature: 'A preflight request is answered without a token, also where every path requires one.',
    test: 'a preflight request is answered by the routes of its path, without a token',
  },
  'http.cors-any': {
    feature: '`*` in `http.cors-origins` admits every page, and never its credentials.',
    test: '* admits every page, without credentials and without Vary',
  },
  'http.cors-frames': {
    feature: 'The listed origins may show the search page in a frame.',
    test: 'the listed origins may show shared pages in a frame',
  },
  'http.cors-setting': {
    feature: 'An entry of `http.cors-origins` that is no origin stops a server with the cure.',
    test: 'an origin that no browser sends stops a server with the cure',
  },
  'http.private': {
    feature: 'No cache keeps an answer that a token opened.',
    test: 'where a token is required, no cache keeps an answer',
  },
  'http.traversal': {
    feature: 'A path cannot climb out of its folder.',
    test: 'a rest of a path cannot climb',
  },
  'http.ambiguous': {
    feature: 'Requests that could be read in two ways are refused.',
    test: 'requests that could be read in two ways are refused',
  },
  'http.sizes': {
    feature: 'Huge headers and bodies are refused.',
    test: 'huge headers and bodies are refused by size',
  },
  'http.slow': {
    feature: 'Slow headers and bodies end in 408.',
    test: 'slow headers and slow bodies end in 408',
  },
  'http.silent': { feature: 'A silent connection is closed.', test: 'a silent connection is closed' },
  'http.working': {
    feature: 'A connection that waits for an answer in work is not closed as silent.',
    test: 'a caller that waits for an answer in progress is not silent',
  },
  'http.max-connections': {
    feature: 'More connections than allowed are dropped.',
    test: 'more connections than allowed are dropped',
  },
  'http.max-requests': {
    feature: 'More requests than may be answered at once get 503 with Retry-After.',
    test: 'requests above the limit get 503 with Retry-After',
  },
  'http.standing': {
    feature: 'Answers that stay open do not use up the places of requests, and have a bound of their own.',
    test: 'standing answers leave the places of requests free, and have a bound of their own',
  },
  'http.client-standing': {
    feature: 'One client address cannot take all answers that stay open.',
    test: 'one client address cannot take all standing answers',
  },
  'http.standing-close': {
    feature: 'A server that closes ends the answers that stay open in order, and does not wait for them.',
    test: 'a server that closes ends its standing answers in order and does not wait for them',
  },
  'http.standing-stalled': {
    feature: 'A stalled reader of an answer that stays open does not delay the close of the server.',
    test: 'a reader that takes nothing is disconnected at the close',
  },
  'http.standing-idle': {
    feature: 'An answer that stays open is cut when it is not read, never because it has nothing to send.',
    test: 'the idle limit ends a standing answer that is not read, and none that is silent',
  },
  'http.events': {
    feature: 'Server-sent events are sent as they come, neither compressed nor tagged.',
    test: 'events are sent as they come, in the form of the standard, neither compressed nor tagged',
  },
  'http.events-heartbeat': {
    feature: 'A comment at a fixed interval keeps a silent stream of events open through proxies.',
    test: 'silence is broken by a comment at a fixed interval of the clock',
  },
  'http.events-newest': {
    feature: 'A slow reader of events gets the newest state, and costs the memory of one.',
    test: 'a slow reader receives the newest state, and no older one is queued for it',
  },
  'http.events-left': {
    feature: 'The source of events is closed when the caller leaves.',
    test: 'the iterable is closed when the caller leaves, and its time is marked as standing',
  },
  'http.close': {
    feature: 'A server that closes lets answers finish and takes no new requests.',
    test: 'closing lets answers finish, ends idle connections and takes no new ones',
  },
  'http.tls': {
    feature: 'A server with a certificate answers over TLS, and its address says so.',
    test: 'a server with a certificate answers over TLS and says so in its address',
  },
  'http.tls-plain': {
    feature: 'Plain HTTP on a port of TLS gets 400 with the cure.',
    test: 'plain HTTP on a port of TLS gets 400 with the cure',
  },
  'http.tls-garbage': {
    feature: 'Bytes that are no TLS end their connection and nothing else.',
    test: 'bytes that are no TLS end a connection, not the server',
  },
  'http.tls-close': {
    feature: 'A stalled TLS handshake does not delay the end of a server beyond its grace.',
    test: 'a server over TLS does not wait at its end for handshakes that do not go on',
  },
  'http.tls-reload': {
    feature: 'SIGHUP reloads the certificate of a Gatherer or Broker, and its sessions stay.',
    test: 'SIGHUP reloads the certificate of a server, and its sessions stay',
  },
  'http.tls-files': {
    feature: 'A certificate without its key, or a file that holds none, stops a server with the cause.',
    test: 'a certificate without its key, or a file that holds none, stops a server with the cause',
  },
  'http.tls-wire': {
    feature: 'A Broker collects over wss from a Gatherer with its own TLS and a private authority.',
    test: 'a Broker collects over wss from a Gatherer with its own TLS, of an authority that it trusts',
  },
  'http.tls-up': {
    feature: '`garner up` serves its search page over TLS.',
    test: 'garner up serves its search page over TLS and collects from its own Gatherer on loopback',
  },
  'http.control-certificate': {
    feature: 'A command accepts exactly the certificate that the serving process announced.',
    test: 'a control call accepts the announced certificate whatever it names, and no other',
  },
  'http.control-impostor': {
    feature: 'The token of a command reaches no server with another certificate.',
    test: 'the token of a control call reaches no server with another certificate',
  },
  'http.control-door': {
    feature: 'A second command asks the process that holds a store through its control door.',
    test: 'a holder gets the token and answers JSON or text',
  },
  'http.holder-silent': {
    feature: 'A command ends with an error when a server accepts its call and answers nothing.',
    test: 'a holder that accepts a call and answers nothing is a typed error',
  },
  'http.holder-long': {
    feature: 'A call of a command takes as long as its work, while the server answers others.',
    test: 'a call takes as long as its work while the holder answers others',
  },
  'http.named-tokens': {
    feature: 'A token counts until it expires, also after a restart, and only its hash is on disk.',
    test: 'a token counts until it expires, after a restart too, and only its hash is on disk',
  },
  'http.token-file': {
    feature: 'A damaged token file lets nobody in.',
    test: 'a damaged file accepts no token and starts no server',
  },
  'http.token-scopes': {
    feature: 'Scope admin reaches everything, and scope collect nothing but collecting.',
    test: 'admin reaches everything, collect nothing but itself',
  },
  'http.slow-guessing': {
    feature: 'Wrong tokens are answered later and later, and right ones at once.',
    test: 'the answers to wrong tokens wait ever longer, those to right ones never, and wrong ones are forgotten',
  },
  'http.guess-flood': {
    feature: 'Of a flood of guesses from one address only so many wait, and further ones are refused.',
    test: 'of the tokens that are checked late, no more than so many wait for one address',
  },
  'http.upgrades': {
    feature: 'Only known paths, hosts and origins can upgrade to a WebSocket.',
    test: 'unknown paths, foreign pages and wrong hosts are refused and closed',
  },
  'http.holder-refusal': {
    feature: 'A command that asks a serving process ends with the error and exit code of that process.',
    test: 'a refusal by the holder is the error of the holder, with its exit code',
  },
};
