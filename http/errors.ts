import { defineErrors } from '../kernel/index.ts';

interface Port {
  readonly address: string;
  readonly port: number;
  readonly option?: string;
}

const refused = { exit: 1, retry: 'never' } as const;
const misused = { exit: 2, retry: 'never' } as const;
const busy = { exit: 1, retry: 'later', status: 503 } as const;

/** Faults of HTTP requests, of opening the server, and of another process's control door. */
export const httpErrors = defineErrors({
  HTTP_BAD_REQUEST: {
    message: (data: { problem: string }) => `the request cannot be read: ${data.problem}`,
    hint: () => 'send one well-formed HTTP/1.1 request',
    ...refused,
    status: 400,
  },
  HTTP_BAD_PATH: {
    message: () => 'the path is not valid',
    hint: () => 'percent-encode the path as UTF-8 and leave out "." and ".." segments',
    ...refused,
    status: 400,
  },
  HTTP_BAD_PARAMETER: {
    message: (data: { name: string; problem: string }) => `parameter ${data.name} ${data.problem}`,
    hint: () => 'see /openapi.json for every parameter',
    ...misused,
    status: 400,
  },
  HTTP_TOKEN_NEEDED: {
    message: (data: { scope: string }) => `this needs a token with scope ${data.scope}`,
    hint: () => 'send the header "Authorization: Bearer TOKEN" with a token of this server',
    ...refused,
    status: 401,
  },
  HTTP_GUESSING: {
    message: () => 'too many wrong tokens are being tried from your address: no other is checked now',
    hint: () => 'try again in a second; tokens made by garner broker token add are always checked',
    ...busy,
  },
  HTTP_FORBIDDEN: {
    message: (data: { scope: string }) => `this token does not reach scope ${data.scope}`,
    hint: () => 'use one of http.admin-tokens, or make one of that scope: garner broker token add NAME',
    ...refused,
    status: 403,
  },
  HTTP_TOKEN_BAD: {
    message: (data: { problem: string }) => `the token cannot be made: ${data.problem}`,
    hint: () => 'see garner broker token add --help',
    ...misused,
    status: 400,
  },
  HTTP_TOKEN_TAKEN: {
    message: (data: { name: string }) => `a token named ${data.name} exists already`,
    hint: () => 'choose another name, or remove that token first',
    ...misused,
    status: 409,
  },
  HTTP_NO_TOKEN: {
    message: (data: { name: string }) => `there is no token named ${data.name}`,
    hint: () =>
      'garner broker token list shows all named tokens; tokens of the settings are changed in the settings',
    ...misused,
    status: 404,
  },
  HTTP_TOKEN_FILE: {
    message: (data: { path: string; problem: string }) =>
      `the tokens in ${data.path} cannot be used: ${data.problem}`,
    hint: () =>
      'restore it from a backup, or remove it and its second copy (.copy): every token then becomes invalid',
    ...refused,
  },
  HTTP_CROSS_ORIGIN: {
    message: () => 'pages of another origin may not do this',
    hint: () => 'open the page of this server itself, or list its name in http.host-names',
    ...refused,
    status: 403,
  },
  HTTP_NOT_FOUND: {
    message: () => 'nothing is served at this path',
    hint: () => 'see /openapi.json for every path',
    ...refused,
    status: 404,
  },
  HTTP_METHOD_NOT_ALLOWED: {
    message: (data: { method: string; allowed: string }) => `${data.method} is not possible here`,
    hint: (data: { method: string; allowed: string }) => `use ${data.allowed}`,
    ...refused,
    status: 405,
  },
  HTTP_REQUEST_TIMEOUT: {
    message: () => 'the request did not arrive in time',
    hint: () => 'send it again without pausing',
    exit: 1,
    retry: 'now',
    status: 408,
  },
  HTTP_BODY_TOO_LARGE: {
    message: (data: { limit: number }) => `the request body is larger than ${data.limit} bytes`,
    hint: () => 'send less, or raise http.max-body if that is the bound',
    ...refused,
    status: 413,
  },
  HTTP_PATH_TOO_LONG: {
    message: () => 'a part of the path is too long',
    hint: () => 'shorten it',
    ...refused,
    status: 414,
  },
  HTTP_PLAIN_ON_TLS: {
    message: () => 'this port speaks TLS, and the request came in plain HTTP',
    hint: () => 'write https:// in place of http://, and wss:// in place of ws://',
    ...refused,
    status: 400,
  },
  HTTP_WRONG_HOST: {
    message: () => 'this server does not answer for that host name',
    hint: () => 'use localhost or 127.0.0.1, or list the name in http.host-names',
    ...refused,
    status: 421,
  },
  HTTP_HEADERS_TOO_LARGE: {
    message: (data: { limit: number }) => `the request headers are larger than ${data.limit} bytes`,
    hint: () => 'send fewer or shorter headers, or raise http.max-header',
    ...refused,
    status: 431,
  },
  HTTP_INTERNAL: {
    message: () => 'the server failed to answer',
    hint: () => 'try again; if it fails again, see the reason in the server log',
    exit: 1,
    retry: 'later',
    status: 500,
  },
  HTTP_BUSY: {
    message: () => 'too many requests are being answered at once',
    hint: () => 'try again in a second, or raise http.max-requests',
    ...busy,
  },
  HTTP_CLIENT_BUSY: {
    message: () => 'too many requests of your address are being received or answered at once',
    hint: () =>
      'wait for answers before you send more; the operator can raise http.client-share, or list a proxy in http.fronts',
    exit: 1,
    retry: 'later',
    status: 429,
  },
  HTTP_STANDING_BUSY: {
    message: ({ bound }: { bound: 'http.max-standing' | 'http.client-standing' }) =>
      bound === 'http.max-standing'
        ? 'too many live answers are open at once'
        : 'too many live answers are open for this client address',
    hint: ({ bound }: { bound: 'http.max-standing' | 'http.client-standing' }) =>
      `close another live page and try again, or raise ${bound}`,
    ...busy,
  },
  HTTP_CLOSING: {
    message: () => 'the server is stopping',
    hint: () => 'try again when it has restarted',
    ...busy,
  },
  HTTP_PORT_IN_USE: {
    message: (data: Port) => `port ${data.port} is already in use`,
    hint: ({ port, option = '--port' }: Port) =>
      `stop the program that listens there, or choose ${option} ${port === 65_535 ? 65_534 : port + 1}, or ${option} 0 for any free port`,
    exit: 1,
    retry: 'later',
  },
  HTTP_PORT_DENIED: {
    message: (data: Port) => `port ${data.port} may not be opened by this user`,
    hint: ({ option = '--port' }: Port) =>
      `choose a port above 1023 with ${option}, or ${option} 0 for any free port`,
    ...refused,
  },
  HTTP_ADDRESS_UNAVAILABLE: {
    message: (data: Port) => `this machine has no address ${data.address}`,
    hint: () => 'set http.host to an address of this machine; 127.0.0.1 always works',
    ...refused,
  },
  HTTP_HOLDER_GONE: {
    message: (data: { address: string }) => `no server answers at ${data.address} any more`,
    hint: () => 'run the same command again; the store is free when its server has ended',
    exit: 12,
    retry: 'now',
  },
  HTTP_HOLDER_SILENT: {
    message: (data: { address: string; seconds: number }) =>
      `the server at ${data.address} has answered nothing for ${data.seconds} s`,
    hint: () => 'see the log of that server, and start it again if it hangs',
    exit: 12,
    retry: 'later',
  },
  HTTP_HOLDER_REFUSED: {
    message: (data: { address: string; status: number }) =>
      `the server at ${data.address} refused with status ${data.status} and without a reason`,
    hint: () => 'see the log of that server',
    ...refused,
  },
  HTTP_HOLDER_GARBLED: {
    message: (data: { address: string; problem: string }) => `the answer cannot be used: ${data.problem}`,
    hint: () => 'check that the server runs the same version of Garner, then try again',
    exit: 1,
    retry: 'later',
  },
});
