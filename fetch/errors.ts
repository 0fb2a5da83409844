import { defineErrors, failure, type GarnerError } from '../kernel/index.ts';

interface Target {
  readonly url: string;
}
interface Reasoned extends Target {
  readonly why: string;
}

interface PrivateAddress {
  readonly host: string;
  readonly address: string;
  /** The list of allowed hosts, where it is not that of a Gatherer or Broker. */
  readonly setting?: string | undefined;
}

/** Faults of requests to the Web. */
export const fetchErrors = defineErrors({
  FETCH_BAD_URL: {
    message: ({ url, why }: Reasoned) => `${url} cannot be fetched: ${why}.`,
    hint: () => 'Give an absolute http: or https: URL without a user name or password in it.',
    exit: 2,
    retry: 'never',
    status: 400,
  },
  FETCH_PRIVATE_ADDRESS: {
    message: ({ host, address, setting }: PrivateAddress) =>
      `${host} is at the private address ${address} and is not on the list of allowed hosts${setting === undefined ? '' : ` (${setting})`}.`,
    hint: ({ host, setting }: PrivateAddress) =>
      setting === undefined
        ? `If this host is intended, give it as a root, or add ${host} to fetch.allow-hosts.`
        : `If this host is intended, add ${host} to ${setting}.`,
    exit: 1,
    retry: 'never',
    status: 403,
  },
  FETCH_HOST_UNKNOWN: {
    message: ({ host }: { readonly host: string }) => `There is no such host: ${host}.`,
    hint: () => 'Check the spelling of the host name and that this machine can resolve names.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_RESOLVER: {
    message: ({ host, why }: { readonly host: string; readonly why: string }) =>
      `No name server resolves the host ${host} (${why}).`,
    hint: () => 'Check that this machine can resolve names and that it is connected, then try again.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_REFUSED: {
    message: ({ address }: { readonly address: string }) => `No server listens at ${address}.`,
    hint: () => 'Check that the server runs and that the port is right, then try again.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_UNREACHABLE: {
    message: ({ url, why }: Reasoned) => `${url} cannot be reached (${why}).`,
    hint: () =>
      'Check that the server runs and that its port is reachable from this machine, then try again.',
    exit: 12,
    retry: 'later',
    status: 502,
  },
  FETCH_TIMEOUT: {
    message: ({ url, what, seconds }: Target & { readonly what: string; readonly seconds: number }) =>
      `${url}: ${what} took longer than ${seconds} s.`,
    hint: () => 'Try again later, or allow more time (fetch.connect-timeout and the settings after it).',
    exit: 12,
    retry: 'later',
    status: 504,
  },
  FETCH_TLS: {
    message: ({ url, why }: Reasoned) => `No secure connection to ${url} (${why}).`,
    hint: () =>
      'Check the certificate of the server. To add your own authority, set NODE_EXTRA_CA_CERTS=FILE.',
    exit: 12,
    retry: 'never',
    status: 502,
  },
  FETCH_BAD_RESPONSE: {
    message: ({ url, why }: Reasoned) => `${url} answered with something that is not HTTP (${why}).`,
    hint: () => 'Check that the port belongs to a web server.',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  FETCH_BAD_ENCODING: {
    message: ({ url, encoding }: Target & { readonly encoding: string }) =>
      `The body of ${url} cannot be decoded from ${encoding}.`,
    hint: () => 'The server sent a damaged or unknown content encoding; try again later.',
    exit: 1,
    retry: 'later',
    status: 502,
  },
  FETCH_TOO_LARGE: {
    message: ({ url, maxBytes }: Target & { readonly maxBytes: number }) =>
      `${url} is larger than ${maxBytes} bytes.`,
    hint: () => 'Raise the size limit if you want so large a document.',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  FETCH_INTERRUPTED: {
    message: ({ url, why }: Reasoned) => `The connection broke while ${url} was being read (${why}).`,
    hint: () => 'Try again.',
    exit: 12,
    retry: 'now',
    status: 502,
  },
  FETCH_REDIRECTS: {
    message: ({ url, why }: Reasoned) => `${url} leads nowhere: ${why}.`,
    hint: () => 'The redirects of that server form a circle or never end; give the final URL instead.',
    exit: 1,
    retry: 'never',
    status: 502,
  },
  FETCH_CLOSED: {
    message: ({ url }: Target) => `${url} was not fetched: the client is closed.`,
    hint: () => 'Garner is shutting down; start it again.',
    exit: 1,
    retry: 'later',
    status: 503,
  },
});

/** A URL for messages and logs: without the user name and password before its host. */
export function withoutUser(url: string): string {
  // Some schemes need no slashes before the host.
  return url.replace(/^(\s*(?:(?:https?|ftp|wss?):[\\/]*|[a-z][a-z0-9+.-]*:[\\/]{2}))[^\\/?#]*@/i, '$1');
}

// Certificate and protocol faults of node:tls come with these codes.
const tlsCode = /^(ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|EPROTO)/;

/** The code and text of an error of a socket, resolver or parser. */
export function faultOf(error: unknown): { readonly code: string; readonly why: string } {
  if (!(error instanceof Error)) return { code: '', why: String(error) };
  // The parser's errors have a code only sometimes, their name always.
  const named = error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : named;
  return { code, why: code || error.message || error.name };
}

/** The typed error of a failed look-up of `host` or a refused connection to `address`; undefined for any other. */
export function connectFault(error: unknown, host: string, address: string): GarnerError | undefined {
  const { code, why } = faultOf(error);
  if (code === 'ENOTFOUND') return failure(fetchErrors.FETCH_HOST_UNKNOWN, { host }, error);
  if (code === 'EAI_AGAIN') return failure(fetchErrors.FETCH_RESOLVER, { host, why }, error);
  return code === 'ECONNREFUSED' ? failure(fetchErrors.FETCH_REFUSED, { address }, error) : undefined;
}

/** Whether the fault is in the server's certificate or TLS. */
export function isTlsFault(code: string): boolean {
  return tlsCode.test(code);
}

interface At {
  /** The place in the configuration: `credentials[2].url`. */
  readonly key: string;
}

/** Faults of configured credentials and proxies. No message ever holds a secret. */
export const credentialsErrors = defineErrors({
  FETCH_CREDENTIALS: {
    message: ({ key, why }: At & { readonly why: string; readonly cure: string }) => `${key}: ${why}.`,
    hint: ({ cure }: At & { readonly why: string; readonly cure: string }) => cure,
    advice: 'Correct that entry of fetch.credentials, or set the environment variable that it names.',
    exit: 2,
    retry: 'never',
  },
  FETCH_PROXY: {
    message: ({ key, why }: At & { readonly why: string }) => `${key} is not a valid proxy: ${why}.`,
    hint: () => 'Give http://HOST:PORT or https://HOST:PORT; list the hosts to reach without it in no-proxy.',
    exit: 2,
    retry: 'never',
  },
});
