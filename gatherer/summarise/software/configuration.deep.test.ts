import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assertHolds,
  assertLinear,
  assertSurvives,
  installedFile,
  summarised,
} from '../../testing/summarise-sample.ts';
import { summariseConfiguration } from './configuration.ts';

const ini = `# Settings of the hive program
# Copyright (C) 2001 Ann Other
[general]
name = Hive
; how many
max-bees: 12
#timeout=30
[queen "first"]
age=2
`;

test('sections, keys, comments', async () => {
  const found = await summarised(summariseConfiguration, ini, 'hive.conf', 'selected');
  assertHolds(found, {
    Sections: 'general\nqueen "first"',
    Keys: 'name\nmax-bees\ntimeout\nage',
    Copyright: 'Copyright (C) 2001 Ann Other',
    'Comment-Lines': '4',
    Lines: '9',
    Headings: 'general\nqueen "first"',
    'Partial-Text': 'Settings of the hive program Copyright (C) 2001 Ann Other\nhow many\ntimeout=30',
  });
});

test('YAML, nginx and Apache', async () => {
  assertHolds(await summarised(summariseConfiguration, 'hive:\n  max: 3\n  - name: x\n', 'x.yaml'), {
    Keys: 'hive\nmax\nname',
  });
  assertHolds(
    await summarised(
      summariseConfiguration,
      'user www;\nhttp {\n  server_name a.b;\n  location /x {\n  }\n}\n',
      'nginx.conf',
    ),
    {
      Sections: 'http\nlocation /x',
      Keys: 'user\nserver_name',
    },
  );
  assertHolds(
    await summarised(
      summariseConfiguration,
      '<Directory /srv>\n  AllowOverride None\n</Directory>\n',
      'a.conf',
    ),
    {
      Sections: 'Directory /srv',
      Keys: 'AllowOverride',
    },
  );
});

test('a file of the system', async (t) => {
  const bytes = installedFile(t, '/etc/ssl/openssl.cnf', 'openssl');
  if (bytes === undefined) return;
  const found = await summarised(summariseConfiguration, bytes, 'openssl.cnf');
  assert.match(found.get('Sections') ?? '', /^req_distinguished_name$/m);
  assert.match(found.get('Keys') ?? '', /^countryName$/m);
  assert.match(found.get('Description') ?? '', /^OpenSSL example configuration file\./);
});

test('no file is too strange or too slow', async () => {
  await assertSurvives(summariseConfiguration, [Buffer.from(ini)], 'x.conf');
  await assertLinear(summariseConfiguration, ['a=b\n', '[a]\n', '#a\n', ' ', '<a ', '{', '['], 'x.conf');
});
