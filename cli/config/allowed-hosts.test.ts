import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressGuard } from '../../fetch/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { cliErrors } from './errors.ts';
import { allowedHosts } from './server-addresses.ts';

test('allowed hosts are host:port, host or URL, and another text is an error with its place', () => {
  const hostsIn = (key: 'fetch' | 'registry', host: string) =>
    allowedHosts(
      effectiveConfig([allSettings], {
        file: { name: 'garner.yaml', text: `${key}:\n  allow-hosts: [${JSON.stringify(host)}]\n` },
      }),
      `${key}.allow-hosts`,
    );
  for (const key of ['fetch', 'registry'] as const) {
    for (const typed of [
      '127.0.0.1:8501',
      'http://127.0.0.1:8501',
      'http://127.0.0.1:8501/',
      'http://127.0.0.1:8501/a',
    ])
      new AddressGuard(hostsIn(key, typed)).check(new URL('http://127.0.0.1:8501/search'));
    for (const wrong of ['a b', 'http://', '10.0.0.7:port'])
      assert.throws(
        () => hostsIn(key, wrong),
        (error) => {
          assert.ok(isGarnerError(error, cliErrors.CLI_BAD_SETTING), wrong);
          assert.match(error.message, new RegExp(`^${key}\\.allow-hosts holds .*, which is not a host$`));
          assert.match(JSON.stringify(error.data), /garner\.yaml:2/);
          return /host:port/.test(error.hint);
        },
      );
  }
});
