import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../testing/summary-of.ts';

async function attributesOf(
  name: string,
  content: string,
  more: { readonly lastModified?: number } = {},
): Promise<Readonly<Record<string, string>>> {
  const url = `http://site.example/${name}`;
  const { attributes } = await summarise({ url, name, bytes: Buffer.from(content), ...more });
  return Object.fromEntries(attributes);
}

test('modification times in the future and before 1970 are left out', async () => {
  const now = Math.floor(Date.now() / 1000);
  const found = async (lastModified: number) =>
    (await attributesOf('a.txt', 'Words', { lastModified }))['Last-Modification-Time'];
  for (const time of [0, 1, 951_782_400, now, now + 3600.7])
    assert.equal(await found(time), String(Math.floor(time)));
  const year = 366 * 24 * 3600;
  const impossible = [
    -1,
    -315_619_200,
    now + year,
    4_102_444_800,
    253_402_300_800,
    1e18,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ];
  for (const time of impossible) assert.equal(await found(time), undefined, String(time));
});

test('a date of blanks or noughts is no date', async () => {
  const dated = async (date: string) =>
    (await attributesOf('a.md', `---\ntitle: T\ndate: "${date}"\n---\nWords`)).Date;
  for (const date of [
    '    :  :     :  :  ',
    '0000:00:00 00:00:00',
    '0000-00-00',
    '--',
    '0',
    ': : : :',
    '0000-00-00T00:00:00Z',
  ])
    assert.equal(await dated(date), undefined, date);
  for (const date of ['2000-01-01', '0900', 'yesterday', '１９９６', '١٩٩٦'])
    assert.equal(await dated(date), date);
});

test('a README is named by its heading, not by badges, pictures, editor lines and rights before it', async () => {
  for (const [name, text, title] of [
    ['README', 'Tide 2.0\n========\n\nReads tide tables.\n', 'Tide 2.0'],
    ['README', '-*- text -*-\n\nTIDE 2.0\n\nReads tide tables.\n', 'TIDE 2.0'],
    ['README', '# vim: tw=72\n# Tide tables\n\nReads them.\n', 'Tide tables'],
    ['README', 'Copyright 2020 Kim Example\n\nTide\n====\n\nReads tide tables.\n', 'Tide'],
    ['README', '$Id: README,v 1.4 2001/02/03 kim Exp $\n\nTide tables\n\nReads them.\n', 'Tide tables'],
    [
      'README',
      'Copyright 2020 Kim Example\nPermission is hereby granted, free of charge, to any person\n\nTide tables\n\nWords.\n',
      'Tide tables',
    ],
    ['README.txt', '*****\nTides\n*****\n\nReads tide tables.\n', 'Tides'],
    ['README.md', '[![build](b.svg)](http://x/) ![npm](n.svg)\n\n# Tide\n\nWords.\n', 'Tide'],
    [
      'README.md',
      '<p align="center"><img src="logo.svg"></p>\n\n<h1 align="center">Tide</h1>\n\nWords.\n',
      'Tide',
    ],
    ['README.rst', '.. image:: b.svg\n   :target: x\n\nTide\n====\n\nWords.\n', 'Tide'],
    ['README.Debian', 'tide for Debian\n---------------\n\nWords.\n', 'tide for Debian'],
  ] as const)
    assert.deepEqual([name, (await attributesOf(name, text)).Title], [name, title], text);
});

test('the text of a licence is no description, whatever reads the file', async () => {
  const mpl = [
    'This Source Code Form is subject to the terms of the Mozilla Public',
    'License, v. 2.0. If a copy of the MPL was not distributed with this',
    'file, You can obtain one at https://mozilla.org/MPL/2.0/.',
  ];
  const gpl = [
    'This program is free software; you can redistribute it and/or modify it',
    'under the terms of the GNU General Public License as published by the',
    'Free Software Foundation.',
  ];
  const apache = [
    'Licensed to the Apache Software Foundation (ASF) under one',
    'or more contributor license agreements.  See the NOTICE file',
    'distributed with this work for additional information.',
  ];
  const google = [
    'Use of this source code is governed by a BSD-style',
    'license that can be found in the LICENSE file.',
  ];
  const french = [
    'Ce logiciel est régi par la licence CeCILL soumise au',
    'droit français et respectant les principes de diffusion.',
  ];
  const purpose = 'Reads the tide tables of a harbour and says when the gate opens.';
  const hash = (lines: readonly string[]) => lines.map((line) => `# ${line}\n`).join('');
  const block = (lines: readonly string[]) => `/* ${lines.join('\n * ')} */\n`;
  for (const licence of [mpl, gpl, apache, google, french]) {
    const table: readonly (readonly [name: string, text: string])[] = [
      ['a.js', `${block(licence)}// ${purpose}\nexport function a() {}`],
      ['a.c', `${block(licence)}\n/* ${purpose} */\nint a(void) { return 1; }`],
      ['a.py', `${hash(licence)}"""${purpose}"""\nx = 1`],
      ['a.sh', `#!/bin/sh\n${hash(licence)}\n# ${purpose}\necho`],
      ['a.css', `${block(licence)}/* ${purpose} */\na { color: red }`],
      ['Makefile', `${hash(licence)}\n# ${purpose}\nall:\n\techo`],
      ['a.conf', `${hash(licence)}\n# ${purpose}\n\nx = 1\n`],
      ['README', `Tide\n====\n\n${licence.join('\n')}\n\n${purpose}\n`],
      ['a.rst', `Tide\n====\n\n${licence.join('\n')}\n\n${purpose}\n`],
      ['a.org', `#+TITLE: Tide\n\n${licence.join('\n')}\n\n${purpose}\n`],
      ['a.adoc', `= Tide\n\n${licence.join('\n')}\n\n${purpose}\n`],
    ];
    for (const [name, text] of table) {
      assert.equal((await attributesOf(name, text)).Description, purpose, text);
      const alone = (await attributesOf(name, text.replace(purpose, ''))).Description;
      assert.equal(alone, undefined, text);
    }
  }
});
