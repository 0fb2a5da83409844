import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { allSettings } from '../config/all-settings.ts';
import { effectiveConfig } from '../config/config.ts';
import { cliErrors } from '../config/errors.ts';
import { pageSite } from './page-site.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

test('a logo or link of the operator that cannot be shown stops the start with the cause', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-page-site-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const write = async (name: string, content: string | Buffer) => {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  };
  const siteOf = (key: string, raw: string | readonly string[]) => {
    const argv = new Map([[key, { flag: `--${key}`, raw }]]);
    return pageSite('broker', effectiveConfig([allSettings], { argv }), 'The Broker');
  };
  const refused = (key: string, value: string | readonly string[], expected: RegExp) =>
    assert.rejects(siteOf(key, value), (error: unknown) => {
      assert.ok(isGarnerError(error, cliErrors.CLI_BAD_SETTING), String(error));
      assert.match(error.message, expected);
      assert.ok(error.message.startsWith(key));
      return true;
    });
  await refused('page.logo', join(folder, 'none.svg'), /none\.svg, which does not exist/);
  await refused('page.logo', folder, /which is a folder/);
  await refused('page.logo', '/dev/zero', /which is not a regular file/);
  await refused(
    'page.logo',
    await write('page.html', '<!doctype html><p><svg></svg>'),
    /is no SVG, PNG or WebP/,
  );
  await refused('page.logo', await write('empty.png', ''), /is no SVG, PNG or WebP/);
  await refused(
    'page.logo',
    await write('large.png', Buffer.concat([png, Buffer.alloc(300_000)])),
    /larger than 256 KiB/,
  );
  await refused('page.footer-links', ['Run javascript:alert(1)'], /which is no link/);
  await refused('page.footer-links', ['https://www.example.org/'], /which is no link/);
  await refused('page.footer-links', ['Bank https://bank.example@www.example.org/'], /which is no link/);
  await refused('page.footer-links', Array(13).fill('A https://a.example/'), /has 13 links/);
  await refused('page.title', 'n'.repeat(101), /has 101 characters/);
  for (const [name, content, type] of [
    [
      'a.svg',
      '\ufeff<?xml version="1.0"?><!-- - > --><!DOCTYPE svg [<!ENTITY a "b">]>\n<svg/>',
      'image/svg+xml',
    ],
    [
      'b.svg',
      '<?xml version="1.0"?>\n<!-- Made by hand. -->\n<svg xmlns="http://www.w3.org/2000/svg"/>',
      'image/svg+xml',
    ],
    ['c.png', png, 'image/png'],
    ['d.webp', Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1'), 'image/webp'],
  ] as const) {
    const path = await write(name, content);
    assert.equal((await siteOf('page.logo', path)).site.look?.logo?.type, type, name);
  }
  const { site, routes } = await siteOf('page.footer', 'Run by us.');
  assert.deepEqual([site.title, site.look?.footer, routes.length], ['The Broker', 'Run by us.', 0]);
});
