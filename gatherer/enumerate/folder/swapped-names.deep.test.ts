import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { serveHttp } from '../../../http/index.ts';
import { systemClock } from '../../../kernel/index.ts';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { LocalMapping } from '../leaves/local-mapping.ts';
import { MaildirEnumerator } from '../mail/maildir-enumerator.ts';
import { MboxEnumerator } from '../mail/mbox-enumerator.ts';
import { siteRoutes } from './site-routes.ts';

const swaps = Number(process.env.GARNER_TEST_SWAPS ?? 4000);

/** Swaps each name `NAME` with what `NAME.other` is, prints a line after so many swaps, and goes on until it is ended. */
const swapper = `
const fs = require('node:fs');
const [swaps, ...names] = process.argv.slice(1);
for (let done = 0; ; done += names.length) {
  for (const name of names) {
    fs.renameSync(name, name + '.held');
    fs.renameSync(name + '.other', name);
    fs.renameSync(name + '.held', name + '.other');
  }
  if (done < swaps && done + names.length >= swaps) console.log('done');
}
`;

/** Read while names are swapped, until enough was swapped and read. Resolves to the number of times that was read. */
async function whileSwapped(names: readonly string[], read: () => Promise<void>): Promise<number> {
  const child = spawn(process.execPath, ['-e', swapper, '--', String(swaps), ...names], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let isDone = false;
  void once(child.stdout, 'data').then(() => {
    isDone = true;
  });
  let times = 0;
  try {
    for (; !isDone || times < swaps / 100; times += 1) await read();
  } finally {
    child.kill();
    await once(child, 'exit');
  }
  return times;
}

interface Swapping extends AsyncDisposable {
  readonly site: Site;
  readonly names: readonly string[];
}

/** A site in which a file, a folder on the way, and an index page are swapped with links out of it. */
async function swapping(): Promise<Swapping> {
  const site = await Site.make();
  const outside = join(site.path, 'outside');
  const at = (...names: string[]) => join(site.root, ...names);
  for (const folder of [outside, at('folder'), at('listed')]) await mkdir(folder);
  const secret = '<title>secret</title>secret';
  const mail = (text: string) =>
    `From a@b Sat Jan  3 01:05:34 1996\nFrom: a@b\nSubject: ${text}\n\n${text}\n`;
  for (const name of ['a.html', 'index.html', 'secret.html']) await writeFile(join(outside, name), secret);
  await writeFile(join(outside, 'a.mbox'), mail('secret'));
  for (const name of [at('a.html'), at('folder', 'a.html'), at('listed', 'index.html')])
    await writeFile(name, '<title>open</title>open');
  await writeFile(at('folder', 'a.mbox'), mail('open'));
  for (const folder of [at('mail'), at('mail', 'cur'), at('mail', 'new'), join(outside, 'cur')])
    await mkdir(folder);
  await writeFile(at('mail', 'cur', '1:2,S'), mail('open'));
  await writeFile(join(outside, 'cur', '1:2,S'), mail('secret'));
  await symlink(join(outside, 'a.html'), at('a.html.other'));
  await symlink(outside, at('folder.other'));
  await symlink(join(outside, 'cur'), at('mail', 'cur.other'));
  await symlink(join(outside, 'index.html'), at('listed', 'index.html.other'));
  return {
    site,
    names: [at('a.html'), at('folder'), at('mail', 'cur'), at('listed', 'index.html')],
    [Symbol.asyncDispose]: async () => {
      await site[Symbol.asyncDispose]();
      await rm(outside, { recursive: true, force: true });
    },
  };
}

test('case a12: names that are swapped with links out of a served folder give nothing from outside', async (t) => {
  await using made = await swapping();
  const { site, names } = made;
  await using server = await serveHttp({
    routes: siteRoutes(site.root, false),
    port: 0,
    clock: systemClock,
    ...{ title: 'test', version: '0', bare: true },
  });
  const statuses: Record<number, number> = {};
  const paths = ['a.html', 'folder/a.html', 'folder/', 'listed/', 'listed/index.html'];
  const times = await whileSwapped(names, async () => {
    await Promise.all(
      paths.map(async (path) => {
        const answer = await fetch(server.url + path);
        assert.doesNotMatch(await answer.text(), /secret/, path);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      }),
    );
  });
  t.diagnostic(`${times} times: ${JSON.stringify(statuses)}`);
  assert.ok((statuses[200] ?? 0) > 0);
});

test('names that are swapped with links out of a gathered folder give nothing from outside', async (t) => {
  await using made = await swapping();
  const { site, names } = made;
  const mapping = new LocalMapping([{ url: baseUrl, path: site.root }], () =>
    Promise.reject(new Error('the network')),
  );
  const memory = { recall: async () => undefined };
  let read = 0;
  const times = await whileSwapped(names, async () => {
    const enumerators = [
      site.enumerator,
      new MboxEnumerator({ path: site.root }),
      new MaildirEnumerator({ path: join(site.root, 'mail') }),
    ];
    for (const enumerator of enumerators)
      try {
        for await (const item of enumerator.enumerate(memory))
          if (item.kind === 'document') {
            read += 1;
            assert.doesNotMatch(Buffer.from(item.document.bytes).toString(), /secret/, item.url);
          }
      } catch (error) {
        // A folder of a Maildir is not there now and then.
        if (error instanceof assert.AssertionError) throw error;
      }
    for (const path of ['a.html', 'folder/a.html']) {
      const answer = await mapping.fetch({ url: baseUrl + path }).catch(() => undefined);
      if (answer !== undefined) assert.doesNotMatch(await text(answer.body), /secret/, path);
    }
  });
  t.diagnostic(`${times} times, ${read} documents`);
  assert.ok(read > 0);
});
