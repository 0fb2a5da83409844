import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect } from 'node:tls';

/** The reason why no certificate can be made here, or undefined. */
export const noCertificates =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'SKIPPED: apt-get install openssl';

/** Write a key and a self-signed certificate for `localhost`, valid for `days` from now on. */
export function certificateIn(folder: string, days = 2): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', String(days), '-keyout', key, '-out', cert],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
  ]);
  assert.equal(made.status, 0, String(made.stderr));
  return { key, cert };
}

/** Write an authority's certificate `ca.pem`, and a key and certificate for `localhost` that it has signed. */
export function signedCertificateIn(folder: string): {
  readonly key: string;
  readonly cert: string;
  readonly ca: string;
} {
  const at = (name: string) => join(folder, name);
  const [key, cert, ca, caKey] = [at('key.pem'), at('cert.pem'), at('ca.pem'), at('ca-key.pem')];
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const openssl = (...args: readonly string[]) => {
    const made = spawnSync('openssl', args);
    assert.equal(made.status, 0, String(made.stderr));
  };
  openssl(
    ...['req', '-x509', ...newKey, '-days', '60', '-keyout', caKey, '-out', ca],
    ...['-subj', '/CN=Our own authority'],
  );
  openssl(
    ...['req', ...newKey, '-keyout', key, '-out', at('request.pem'), '-subj', '/CN=localhost'],
    ...['-addext', 'subjectAltName=DNS:localhost'],
  );
  openssl(
    ...['x509', '-req', '-in', at('request.pem'), '-CA', ca, '-CAkey', caKey, '-CAcreateserial'],
    ...['-days', '40', '-copy_extensions', 'copy', '-out', cert],
  );
  return { key, cert, ca };
}

/** The fingerprint of the certificate that a port presents. */
export async function fingerprint(url: string): Promise<string> {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().fingerprint256;
  } finally {
    socket.destroy();
  }
}
