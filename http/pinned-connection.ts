import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';

/**
 * Connect to a TLS server that must present exactly one of `certificates` (PEM), and prove that it has the key. Names,
 * dates and authorities do not matter: the certificate itself is known. Nothing is sent before it was compared.
 */
export async function pinnedConnection(
  { hostname, port }: URL,
  certificates: readonly string[],
  signal?: AbortSignal,
): Promise<TLSSocket> {
  signal?.throwIfAborted();
  const known = certificates.map((pem) => new X509Certificate(pem).raw);
  const host = hostname.replace(/^\[|\]$/g, '');
  // The chain is not checked; TLS still proves that the server has the key of what it presents.
  const socket = connect({
    host,
    port: Number(port || 443),
    rejectUnauthorized: false,
    ALPNProtocols: ['http/1.1'],
  });
  const stop = () => socket.destroy(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('the connection was closed during the TLS handshake')));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  const presented = socket.getPeerX509Certificate()?.raw;
  if (presented !== undefined && known.some((one) => one.equals(presented))) return socket;
  socket.destroy();
  throw new Error('it presents another certificate than the one beside the store');
}
