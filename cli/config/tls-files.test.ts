import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';
import { serverTls } from './tls-files.ts';

test('a certificate without its key, or a file that holds none, stops a server with the cause', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-tls-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const page = join(folder, 'index.html');
  await writeFile(page, '<title>no certificate</title>');
  const tls = (certificate: string, key: string) => {
    const env = { GARNER_HTTP_TLS_CERTIFICATE: certificate, GARNER_HTTP_TLS_KEY: key };
    return serverTls(effectiveConfig([allSettings], { env }));
  };
  const refused = (certificate: string, key: string, expected: RegExp) =>
    assert.rejects(tls(certificate, key), (error: unknown) => {
      assert.ok(isGarnerError(error, cliErrors.CLI_BAD_SETTING));
      assert.match(error.message, expected);
      return true;
    });
  await refused(page, '', /http\.tls-key is empty, and http\.tls-certificate is set/);
  await refused('', page, /http\.tls-certificate is empty, and http\.tls-key is set/);
  await refused(page, page, /http\.tls-certificate is .*index\.html, which holds no certificate/);
  await refused(page, join(folder, 'absent.pem'), /http\.tls-key is .*absent\.pem, which cannot be read/);
  assert.equal(await tls('', ''), undefined);
});
