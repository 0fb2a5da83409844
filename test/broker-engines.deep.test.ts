import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer, temporaryFolder } from './commands/command.ts';
import { jsonHere as jsonOf, runHere as runCommand } from './commands/command-here.ts';

test('a Broker answers with one engine, with another, and with the first again', async () => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'zoo'));
  const pages = { 'quokka.html': 'Quokkas live on Rottnest Island.', 'numbat.html': 'Numbats eat termites.' };
  for (const [page, text] of Object.entries(pages))
    await writeFile(join(folder.path, 'zoo', page), `<!doctype html><title>${page}</title><p>${text}</p>`);
  await jsonOf(['gatherer', 'run', '--root', 'zoo'], here);
  await using gatherer = await startServer<{ collect: string }>(['gatherer', 'serve', '--port', '0'], here);
  const { collect } = gatherer.ready;
  await jsonOf(['broker', 'collect', '--collect', collect], here);
  for (const engine of ['flexsearch', 'glimpse', 'flexsearch']) {
    await using broker = await startServer(
      ['broker', 'serve', '--engine', engine, '--collect', collect, '--port', '0'],
      here,
    );
    await jsonOf(['broker', 'collect'], here);
    const find = (...more: string[]) => ['broker', 'search', '"eat termites"', ...more];
    assert.equal((await jsonOf<{ total: number }>(find(), here)).total, 1);
    const { stdout } = await runCommand(find(), here);
    assert.match(stdout, engine === 'glimpse' ? /, 1 of 2 objects read/ : /^1 result in [\d.]+ ms$/m);
    assert.equal((await broker.stop('SIGINT')).code, 0);
  }
});
