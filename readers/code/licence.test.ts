import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { authorNames, copyrightLines, licenceOf } from './licence.ts';

test('licence texts that Debian installs', (t) => {
  for (const [name, expected] of [
    ['Apache-2.0', 'Apache-2.0'],
    ['Artistic', 'Artistic-1.0-Perl'],
    ['BSD', 'BSD-3-Clause'],
    ['CC0-1.0', 'CC0-1.0'],
    ['GPL-2', 'GPL-2.0'],
    ['GPL-3', 'GPL-3.0'],
    ['LGPL-2.1', 'LGPL-2.1'],
    ['LGPL-3', 'LGPL-3.0'],
    ['MPL-1.1', 'MPL-1.1'],
    ['MPL-2.0', 'MPL-2.0'],
  ] as const) {
    const path = `/usr/share/common-licenses/${name}`;
    if (!existsSync(path)) t.diagnostic(`SKIPPED: ${path} (install base-files)`);
    else assert.equal(licenceOf(readFileSync(path, 'utf8')), expected, name);
  }
});

test('tags and phrases of headers', () => {
  for (const [text, expected] of [
    [
      'SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */',
      'GPL-2.0-only WITH Linux-syscall-note',
    ],
    ['SPDX-License-Identifier: (MIT OR Apache-2.0)\n', '(MIT OR Apache-2.0)'],
    [
      'under the terms of the GNU Lesser General Public\n * License as published by the Free Software Foundation; either\n * version 2.1 of the License, or (at your option) any later version.',
      'LGPL-2.1-or-later',
    ],
    ['under the terms of the GNU General Public License version 2 as published', 'GPL-2.0'],
    ['GNU Affero General Public License, version 3', 'AGPL-3.0'],
    ['Permission is hereby granted, free of charge, to any person\n// obtaining a copy', undefined],
    ['Permission is hereby granted, free of charge, to any person\n * obtaining a copy', 'MIT'],
    ['under the same terms as Perl itself', 'Artistic-1.0-Perl OR GPL-1.0-or-later'],
    ['Released into the public domain', 'LicenseRef-public-domain'],
    ['Licensed under the MIT license', 'MIT'],
    ['nothing of the kind', undefined],
  ] as const)
    assert.equal(licenceOf(text), expected, text);
});

test('copyright holders and authors', () => {
  assert.deepEqual(
    copyrightLines(
      'Copyright (C) 1999,  2001 Ann Other\n(c) 2003 B. Both\nthe copyright notice above\nsee (c) below\n© 2020 Zoë\nCopyright Ann, 1998\n',
    ),
    ['Copyright (C) 1999, 2001 Ann Other', '(c) 2003 B. Both', '© 2020 Zoë', 'Copyright Ann, 1998'],
  );
  assert.deepEqual(
    authorNames('@author Ann Other\nAuthor: Bob <b@x.example>.\nWritten by Zoë, 1999.\nauthority: none'),
    ['Ann Other', 'Bob <b@x.example>', 'Zoë, 1999'],
  );
});
