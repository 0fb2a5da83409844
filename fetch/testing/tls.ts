import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Why a test over TLS cannot run here, or undefined. */
export function missingOpenssl(): string | undefined {
  return spawnSync('openssl', ['version']).status === 0 ? undefined : 'SKIPPED: needs openssl';
}

/** A certificate for `localhost` that signs itself: files in a folder that is removed on disposal. */
export function localhostCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'garner-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
  ]);
  assert.equal(made.status, 0, String(made.stderr));
  return { folder, key, cert, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

/** A client's result for one URL: a status and text, or the code of an error. */
export interface Seen {
  readonly status?: number;
  readonly text?: string;
  readonly etag?: string;
  readonly wireBytes?: number;
  readonly redirects?: number;
  readonly error?: string;
}

const asking = `
  const { HttpClient, readBody } = await import(process.env.DOOR);
  const { urls, options } = JSON.parse(process.env.REQUESTED);
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts: urls.flat().map((one) => one.url), ...options });
  const ask = async (request) => {
    try {
      const answer = await http.fetch(request);
      const bytes = await readBody(answer);
      return {
        status: answer.status,
        text: new TextDecoder().decode(bytes),
        etag: answer.etag,
        wireBytes: answer.wireBytes,
        redirects: answer.redirects.length,
      };
    } catch (error) {
      return { error: error.code ?? String(error) };
    }
  };
  const seen = [];
  for (const together of urls) seen.push(await Promise.all(together.map(ask)));
  await http[Symbol.asyncDispose]();
  console.log(JSON.stringify(seen));
`;

/**
 * Request URLs in a separate process, since an authority is trusted for a whole process: each list concurrently,
 * one list after the other. Rejects when the process ends early.
 */
export async function seenTrusting(
  cert: string | undefined,
  urls: readonly (readonly { readonly url: string; readonly etag?: string }[])[],
  options: Readonly<Record<string, unknown>>,
): Promise<Seen[][]> {
  const door = new URL('../index.js', import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', asking], {
    env: {
      ...process.env,
      DOOR: door,
      REQUESTED: JSON.stringify({ urls, options }),
      ...(cert === undefined ? {} : { NODE_EXTRA_CA_CERTS: cert }),
    },
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as Seen[][];
}
