import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type SearchAnswer,
  search,
  startServer,
  temporaryFolder,
  type UpReady,
  untilFound,
} from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

interface ViewLine {
  readonly name: string;
  readonly objects: number;
  readonly webhooks?: readonly { readonly secret?: string; readonly state?: string }[];
}

const page = (title: string, text: string) => `<!doctype html><title>${title}</title><p>${text}</p>`;

test('views by the command: while a Broker serves and while none does, and collected by another Broker', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  const site = join(folder.path, 'zoo');
  await mkdir(site);
  await writeFile(join(site, 'quokka.html'), page('Quokka', 'a marsupial of islands'));
  await writeFile(join(site, 'okapi.html'), page('Okapi', 'a giraffe of forests'));
  const view = ['broker', 'view'];
  {
    await using up = await startServer<UpReady>(['up', 'zoo', '--port', '0', '--site-port', '0'], here);
    await jsonOf([...view, 'add', 'animals', 'marsupial OR giraffe', '--description', 'All of them'], here);
    const hook = 'https://hook.example.org/';
    const added = await jsonOf<ViewLine>(
      [...view, 'add', 'marsupials', 'marsupial', '--over', 'animals', '--webhook', hook],
      here,
    );
    assert.match(added.webhooks?.[0]?.secret ?? '', /^whsec_/);
    const shown = await jsonOf<ViewLine>([...view, 'show', 'marsupials'], here);
    assert.deepEqual([shown.objects, shown.webhooks?.[0]?.state], [1, 'active']);
    const within = await search(up.ready.search, 'view: animals islands');
    assert.deepEqual([within.total, within.hits[0]?.title], [1, 'Quokka']);
    const refused = await runCommand([...view, 'remove', 'animals'], here);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /used by view marsupials +\[VIEW_IN_USE\]/);
    const faulty = await runCommand([...view, 'add', 'faulty', 'AND ('], here);
    assert.equal(faulty.code, 2);
    assert.match(faulty.stderr, /\[VIEW_QUERY\]\n.*\n.*correct the query/);
    const wire = `${up.ready.search.replace('http:', 'ws:')}#view=marsupials`;
    const reader = ['broker', 'serve', '--collect', wire, '--port', '0', '--data', 'reader'];
    await using other = await startServer<{ readonly search: string }>(reader, here);
    const isThere = ({ total }: SearchAnswer) => total === 1;
    await untilFound(other.ready.search, 'quokka', isThere);
    await writeFile(join(site, 'koala.html'), page('Koala', 'a marsupial of trees'));
    await untilFound(other.ready.search, 'koala', isThere);
    assert.equal((await search(other.ready.search, '*')).total, 2);
  }
  const listed = await jsonOf<ViewLine[]>([...view, 'list'], here);
  assert.deepEqual(
    listed.map(({ name, objects }) => [name, objects]),
    [
      ['animals', 3],
      ['marsupials', 2],
    ],
  );
  assert.equal((await runCommand([...view, 'remove', 'marsupials'], here)).code, 0);
  assert.match(
    (await runCommand([...view, 'list'], here)).stdout,
    /^ {2}animals {2}3 {2}marsupial OR giraffe$/m,
  );
  const unknown = await runCommand([...view, 'show', 'marsupials'], here);
  assert.match(unknown.stderr, /VIEW_UNKNOWN/);
  const bad = await runCommand([...view, 'add', 'x', '(open'], here);
  assert.match(bad.stderr, /VIEW_QUERY/);
});
