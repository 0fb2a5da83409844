interface ConnectFault {
  /** Its name in RFC 9209 2.3. */
  readonly proxyError: string;
  readonly why: string;
  readonly cure: string;
}

export const connectFaults = {
  'name-unknown': {
    proxyError: 'dns_error',
    why: 'its name is unknown',
    cure: 'check the spelling of the name, and that the name service of this machine can resolve it',
  },
  'name-service': {
    proxyError: 'dns_error',
    why: 'its name cannot be looked up now',
    cure: 'check the name service of this machine (/etc/resolv.conf), then try again',
  },
  refused: {
    proxyError: 'connection_refused',
    why: 'nothing listens there',
    cure: 'check that its server runs, and that host and port are right',
  },
  'no-way': {
    proxyError: 'destination_ip_unroutable',
    why: 'there is no route to its address',
    cure: 'check its address and the network of this machine',
  },
  'connect-timeout': {
    proxyError: 'connection_timeout',
    why: 'the connection took too long',
    cure: 'check its address and the firewalls on the way, or raise cache.connect-timeout',
  },
  untrusted: {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is signed by no authority that this machine trusts',
    cure: 'for your own CA, start Garner with NODE_EXTRA_CA_CERTS=FILE, where FILE is the CA certificate in PEM; otherwise check that the server sends its whole chain',
  },
  'out-of-date': {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is not valid now',
    cure: 'have the certificate of that server renewed, and check the clock of this machine',
  },
  'other-name': {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is for another name',
    cure: 'request the server by a name in its certificate, or give it a certificate with this name',
  },
  certificate: {
    proxyError: 'tls_certificate_error',
    why: 'its certificate is not accepted',
    cure: 'look at its certificate with openssl s_client -connect HOST:PORT',
  },
  alert: {
    proxyError: 'tls_alert_received',
    why: 'it refuses the TLS that this cache offers',
    cure: 'check which versions of TLS the server accepts, and whether it requires a client certificate',
  },
  tls: {
    proxyError: 'tls_protocol_error',
    why: 'it does not speak valid TLS',
    cure: 'check that this port speaks TLS; for a server that speaks plain HTTP write http://',
  },
} as const satisfies Record<string, ConnectFault>;

export type ConnectFaultName = keyof typeof connectFaults;

/** The fault that an error's data names; undefined when it names none. */
export function connectFaultOf({ data }: { readonly data: unknown }): ConnectFault | undefined {
  const { fault } = (typeof data === 'object' && data !== null ? data : {}) as { readonly fault?: unknown };
  return typeof fault === 'string' && Object.hasOwn(connectFaults, fault)
    ? connectFaults[fault as ConnectFaultName]
    : undefined;
}
