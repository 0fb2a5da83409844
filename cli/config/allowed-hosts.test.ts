import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressGuard } from '../../fetch/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from './all-settings.ts';
import { allowedHosts } from './allowed-hosts.ts';
import { effectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';

test('allowed hosts are host:port, host or URL, and another text is an error with its place', () => {
  const hostsIn = (key: 'fetch' | 'registry', host: string) =>
    allowedHosts(
      effectiveConfig([allSettings], {
        file: { name: 'garner.yaml', text: `${key}:\n  allow-hosts: [${JSON.stringify(host)}]\n` },
      }),
      `${key}.allow-hosts`,
    );
  for (const key of ['fetch', 'registry'] as const) {
    for (const typed of ['127.0.0.1:8501', 'http://127.0.0.1:8501', 'http://127.0.0.1:8501/'])
      new AddressGuard(hostsIn(key, typed)).check(new URL('http://127.0.0.1:8501/search'));
    for (const typed of ['10.0.0.7', '[::1]:8501', '::1', 'intranet.example.org', 'köln.example:80'])
      assert.deepEqual(hostsIn(key, typed), [typed]);
    for (const [wrong, why] of [
      ['a b', /which is not a host$/],
      ['http://', /which is not a host$/],
      ['10.0.0.7:port', /which is not a host$/],
      ['127.0.0.1:99999', /which is not a host$/],
      ['127.0.0.0/8', /which is not a host$/],
      ['127.0.0.1:8501/a', /which is not a host$/],
      ['*.example.org', /which is not a host$/],
      ['http://*.example.org', /which is not a host$/],
      ['user:pw@host:80', /which has a user; /],
      ['http://127.0.0.1:8501/foo', /which has a path; /],
      ['http://127.0.0.1:8501/?q', /which has a path; /],
      ['file://127.0.0.1:8501', /which is a URL of file; /],
    ] as const)
      assert.throws(
        () => hostsIn(key, wrong),
        (error) => {
          assert.ok(isGarnerError(error, cliErrors.CLI_BAD_SETTING), wrong);
          assert.match(error.message, new RegExp(`^${key}\\.allow-hosts holds `));
          assert.match(error.message, why, wrong);
          assert.match(JSON.stringify(error.data), /garner\.yaml:2/);
          return /host:port.* or a URL without a path/.test(error.hint);
        },
      );
  }
  assert.throws(() => hostsIn('registry', 'ftp://127.0.0.1:8501'), /which is a URL of ftp; /);
  assert.deepEqual(hostsIn('fetch', 'ftp://127.0.0.1:8501'), ['ftp://127.0.0.1:8501']);
});
