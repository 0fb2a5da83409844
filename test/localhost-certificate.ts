import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
