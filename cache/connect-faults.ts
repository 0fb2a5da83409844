interface ConnectFault {
  /** What RFC 9209 2.3 calls it. */
  readonly proxyError: string;
  readonly why: string;
  readonly cure: string;
}

/** What keeps a connection to a server from coming about. */
export const connectFaults = {
  'name-unknown': {
    proxyError: 'dns_error',
    why: 'its name is not known',
    cure: 'check how the name is written, and that the name service of this machine knows it',
  },
  'name-service': {
    proxyError: 'dns_error',
    why: 'its name cannot be looked up now',
    cure: 'check the name service that this machine asks (/etc/resolv.conf), then try again',
  },
  refused: {
    proxyError: 'connection_refused',
    why: 'nothing listens there',
    cure: 'check that its server runs, and that host and port are right',
  },
  'no-way': {
    proxyError: 'destination_ip_unroutable',
    why: 'there is no way to its address',
    cure: 'check its address and the network of this machine',
  },
  'connect-timeout': {
    proxyError: 'connection_timeout',
    why: 'connecting took too long',
    cure: 'check its address and the firewalls between; cache.connect-timeout says how long is waited',
  },
  untrusted: {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is signed by nobody who is trusted here',
    cure: 'for a CA of your own start Garner with NODE_EXTRA_CA_CERTS=FILE, the certificate of that CA in PEM; else check that the server sends its whole chain',
  },
  'out-of-date': {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is not valid now',
    cure: 'have the certificate of that server renewed, and check the clock of this machine',
  },
  'other-name': {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is for another name',
    cure: 'ask for the server by a name that its certificate has, or give it one with this name',
  },
  certificate: {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is not accepted',
    cure: 'look at its certificate with openssl s_client -connect HOST:PORT',
  },
  alert: {
    proxyError: 'tls_alert_received',
    why: 'it refuses the TLS that is spoken here',
    cure: 'check which versions of TLS the server takes, and whether it wants a certificate of its clients',
  },
  tls: {
    proxyError: 'tls_protocol_error',
    why: 'it does not speak TLS as it should',
    cure: 'check the port and that it speaks TLS: what speaks plain HTTP is named with http://',
  },
} as const satisfies Record<string, ConnectFault>;

export type ConnectFaultName = keyof typeof connectFaults;

/** The fault that an error tells of; undefined when it tells of none. */
export function connectFaultOf({ data }: { readonly data: unknown }): ConnectFault | undefined {
  const { fault } = (typeof data === 'object' && data !== null ? data : {}) as { readonly fault?: unknown };
  return typeof fault === 'string' && Object.hasOwn(connectFaults, fault)
    ? connectFaults[fault as ConnectFaultName]
    : undefined;
}
