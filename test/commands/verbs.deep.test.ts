import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { groups, runProgram, verbs, wordsOf } from '../../cli/index.ts';
import {
  type Finished,
  freePort,
  runCommand,
  search,
  startPlain,
  startServer,
  temporaryFolder,
  type UpReady,
} from './command.ts';
import { jsonHere, runHere } from './command-here.ts';

/** A small site in its own folder; `cwd` is the current folder of the user. */
async function smallSite(cwd: string, name: string, pages: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(join(cwd, name), { recursive: true });
  for (const [page, text] of Object.entries(pages))
    await writeFile(join(cwd, name, page), `<!doctype html><title>${page}</title><p>${text}</p>`);
}

const zoo = { 'quokka.html': 'Quokkas live on Rottnest Island.', 'okapi.html': 'Okapis live in forests.' };
const garden = { 'fern.html': 'Ferns grow in shade.' };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
before(async () => {
  folder = await temporaryFolder();
  await smallSite(folder.path, 'zoo', zoo);
  await smallSite(folder.path, 'garden', garden);
});
after(() => folder[Symbol.asyncDispose]());

const here = () => ({ cwd: folder.path });
function refused({ code, stdout, stderr }: Finished, exit: number, error: RegExp, cure: RegExp): void {
  assert.equal(code, exit, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, error);
  assert.match(stderr, /^ {2}try {3}\S/m);
  assert.match(stderr, cure);
}

test('a second up with another site replaces the first and reports it; with the same site it continues', async () => {
  const options = ['--port', '0', '--data', 'up-data'];
  const output = await runUntilReady(['up', 'zoo', ...options, '--site-port', '0']);
  assert.doesNotMatch(output.stderr, /replaced/);
  {
    // The port of the folder is part of every URL, so it stays the same.
    await using again = await startServer<UpReady>(['up', 'zoo', ...options], here());
    assert.equal(again.ready.bytesRead, 0, 'an unchanged folder was read again');
    assert.equal((await search(again.ready.search, 'quokka')).total, 1);
  }
  const second = await runUntilReady(['up', './garden', ...options, '--site-port', '0']);
  assert.match(second.stderr, /up-data held \S*zoo, now replaced by \S*garden/);
  await using up = await startServer<UpReady>(['up', 'garden/', ...options], here());
  assert.equal(up.ready.objects, 1);
  assert.equal((await search(up.ready.search, 'fern')).total, 1);
  assert.equal((await search(up.ready.search, 'quokka')).total, 0);
});

test('another site does not replace an annotated one unless its annotations may be deleted', async () => {
  const options = ['--port', '0', '--site-port', '0', '--data', 'noted'];
  const port = await freePort();
  {
    const gatherd = ['--gatherd-port', String(port)];
    await using up = await startServer<UpReady & { gatherd: string }>(
      ['up', 'zoo', ...options, ...gatherd],
      here(),
    );
    assert.equal(up.ready.gatherd, `127.0.0.1:${port}`);
  }
  const url = 'http://127.0.0.1/okapi.html';
  const annotate = ['gatherer', 'annotate', url, '--data', 'noted'];
  assert.equal((await runHere([...annotate, '--set', 'Keywords=okapi'], here())).code, 0);
  refused(
    await runHere(['up', 'garden', ...options], here()),
    2,
    /noted holds 1 annotation of \S*zoo, which gathering another site would delete/,
    /annotate --export --data noted\) and add --delete-annotations/,
  );
  assert.match((await runHere(annotate, here())).stdout, /okapi/);
  const output = await runUntilReady(['up', 'garden', ...options, '--delete-annotations']);
  assert.match(output.stderr, /replaced by \S*garden; 1 annotation deleted with it/);
  assert.doesNotMatch((await runUntilReady(['up', 'zoo', ...options])).stderr, /annotation/);
});

/** Run `up` without `--json` until it prints its search page, then interrupt it. */
async function runUntilReady(args: readonly string[]): Promise<Finished> {
  const child = startPlain(args, here());
  await child.said(/search +http:/);
  return child.stop();
}

test('errors name the obstacle and a hint', async (t) => {
  await using up = await startServer<UpReady>(
    ['up', 'zoo', '--port', '0', '--site-port', '0', '--data', 'held'],
    here(),
  );
  const invoke = (...args: string[]) => runHere(args, here());
  await t.test('a locked store', async () => {
    const locked = await invoke('up', 'zoo', '--port', '0', '--data', 'held');
    refused(locked, 11, /STORE_LOCKED/, /./);
    const page = `process ${up.pid} (another garner up, its search page at ${up.ready.search})`;
    assert.ok(locked.stderr.includes(page), locked.stderr);
    const other = await invoke('up', 'garden', '--port', '0', '--data', 'held');
    refused(other, 11, /STORE_LOCKED/, /--data other-data/);
    assert.ok(other.stderr.includes(page), other.stderr);
    const served = await invoke('broker', 'serve', '--port', '0', '--data', 'held');
    refused(served, 11, new RegExp(`process ${up.pid} \\(broker at http:`), /--data/);
    assert.equal((await search(up.ready.search, 'quokka')).total, 1);
  });
  await t.test('a port in use', async () => {
    const { port } = new URL(up.ready.search);
    const busy = await invoke('up', 'garden', '--port', port, '--data', 'other');
    refused(busy, 1, /HTTP_PORT_IN_USE/, /--port|port/);
    assert.match(busy.stderr, new RegExp(port));
  });
  await t.test('an absent folder, relative to the current folder', async () => {
    refused(await invoke('up', 'nowhere', '--data', 'other'), 2, /GATHERER_ROOT/, /folder that exists/);
    const run = await invoke('gatherer', 'run', '--root', 'zoo/quokka.html', '--data', 'other');
    refused(run, 2, /it is not a folder/, /folder that exists/);
    const web = await invoke('up', 'www.example.org', '--data', 'other');
    refused(web, 2, /GATHERER_ROOT/, /https:\/\/www\.example\.org\//);
    const root = await invoke('gatherer', 'run', '--root', 'www.example.org', '--data', 'other');
    refused(root, 2, /GATHERER_ROOT/, /https:\/\/www\.example\.org\//);
  });
  await t.test('a data folder that cannot be made', async () => {
    for (const verb of [
      ['up', 'zoo'],
      ['gatherer', 'run', '--root', 'zoo'],
      ['broker', 'serve'],
    ]) {
      const below = await invoke(...verb, '--data', 'zoo/okapi.html/data');
      refused(below, 1, /STORE_UNREADABLE/, /--data/);
      assert.match(below.stderr, /okapi\.html is a file/);
      if (existsSync('/proc/self'))
        refused(await invoke(...verb, '--data', '/proc/x/y'), 1, /\/proc\/x cannot be made/, /--data/);
    }
  });
  await t.test('no store', async () => {
    for (const verb of [
      ['gatherer', 'status'],
      ['broker', 'search', 'x'],
    ])
      refused(await invoke(...verb, '--data', 'empty'), 10, /STORE_MISSING/, /--data/);
    await assert.rejects(stat(join(folder.path, 'empty')), 'a verb that only reads made a folder');
  });
  await t.test('an absent peer', async () => {
    const port = await freePort();
    const address = `ws://127.0.0.1:${port}`;
    const collect = await invoke('broker', 'collect', '--collect', address, '--data', 'lonely');
    refused(collect, 12, /WIRE_UNREACHABLE/, /Check that the server runs/);
  });
  await t.test('wrong usage', async () => {
    refused(await runCommand([], here()), 2, /CLI_USAGE/, /garner(?:\.js)? --help/);
    refused(await invoke('gatherer', 'srve'), 2, /did you mean serve/, /--help/);
    refused(await invoke('searhes'), 2, /unknown verb searhes; did you mean broker searches\?/, /--help/);
    refused(await invoke('up', 'zoo', '--prot', '1'), 2, /prot/, /--port/);
    for (const verb of [
      ['up', 'zoo'],
      ['gatherer', 'serve', '--root', 'zoo'],
      ['broker', 'serve'],
    ])
      for (const port of ['many', '99999', '-1', ''])
        refused(await invoke(...verb, '--port', port), 2, /--port takes a port/, /--port 0/);
    refused(
      await invoke('up', 'zoo', '--site-port', '65536'),
      2,
      /--site-port takes a port/,
      /--site-port 0/,
    );
    refused(await invoke('broker', 'search', ''), 2, /the query is empty/, /broker search -- -WORD/);
    refused(await invoke('broker', 'search', 'zoo', '-quokka'), 2, /-quokka/, /search -- zoo -quokka/);
    const json = await invoke('up', 'nowhere', '--json');
    assert.equal(json.code, 2);
    const { error } = JSON.parse(json.stderr) as { error: { code: string; hint: string; exit: number } };
    assert.deepEqual([error.code, error.exit], ['GATHERER_ROOT', 2]);
    assert.notEqual(error.hint, '');
  });
});

test('a Gatherer and a Broker by their own verbs, with and without servers', async (t) => {
  interface Run {
    readonly added: number;
    readonly changed: number;
    readonly unchanged: number;
    readonly deleted: number;
    readonly bytesRead: number;
  }
  const base = 'http://zoo.example/animals/';
  const run = (...more: string[]) => jsonHere<Run>(['gatherer', 'run', '--data', 'two', ...more], here());
  const first = await run('--root', 'zoo', '--base-url', base);
  assert.deepEqual([first.added, first.bytesRead > 0], [2, true]);
  const second = await run();
  assert.deepEqual([second.added, second.unchanged, second.bytesRead], [0, 2, 0]);

  const shows = async () => {
    const { soif } = await jsonHere<{ soif: string }>(
      ['gatherer', 'show', `${base}okapi.html`, '--data', 'two'],
      here(),
    );
    assert.match(soif, /^@FILE \{ http:\/\/zoo\.example\/animals\/okapi\.html\n/);
    assert.match(soif, /Okapis live in forests/);
    const asText = await runHere(['gatherer', 'show', `${base}okapi.html`, '--data', 'two'], here());
    assert.equal(asText.stdout.trimEnd(), soif.trimEnd());
    const why = (url: string) =>
      jsonHere<{ included: boolean; rule: string }>(['gatherer', 'why', url, '--data', 'two'], here());
    assert.equal((await why(`${base}okapi.html`)).included, true);
    const outside = await why('http://elsewhere.example/');
    assert.deepEqual([outside.included, /not below/.test(outside.rule)], [false, true]);
    const status = await jsonHere<{ objects: number; roots: string[] }>(
      ['gatherer', 'status', '--data', 'two'],
      here(),
    );
    assert.deepEqual([status.objects, status.roots], [2, [join(folder.path, 'zoo')]]);
    const unknown = await runHere(['gatherer', 'show', `${base}dodo.html`, '--data', 'two'], here());
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /dodo\.html[\s\S]*gatherer why/);
  };
  await t.test('while nobody holds the store', shows);

  await using gatherer = await startServer<{ collect: string }>(
    ['gatherer', 'serve', '--data', 'two', '--port', '0'],
    here(),
  );
  const { collect } = gatherer.ready;
  await t.test('through the control door of the server that holds it', async () => {
    await shows();
    assert.equal((await run()).unchanged, 2);
  });

  type Round = { learned: number; forgotten: number; bytesUp: number; bytesDown: number; schemes: string[] };
  const collectNow = (...flags: readonly string[]) =>
    jsonHere<Round[]>(['broker', 'collect', ...flags, '--data', 'two'], here());
  const find = (query: string) =>
    jsonHere<{ total: number; hits: { url: string }[] }>(
      ['broker', 'search', query, '--data', 'two'],
      here(),
    );
  const brokerStatus = () => jsonHere<{ objects: number }>(['broker', 'status', '--data', 'two'], here());
  await t.test('a Broker that is not served', async () => {
    assert.deepEqual(
      (await collectNow('--collect', collect)).map(({ learned }) => learned),
      [2],
    );
    assert.deepEqual(
      (await collectNow('--collect', collect)).map(({ schemes }) => schemes),
      [[]],
    );
    assert.deepEqual(
      (await find('okapi')).hits.map(({ url }) => url),
      [`${base}okapi.html`],
    );
    assert.equal((await brokerStatus()).objects, 2);
    const text = await runHere(['broker', 'search', 'Title: quokka', '--data', 'two'], here());
    assert.match(text.stdout, /quokka\.html/);
    const { clients } = await jsonHere<{ clients: { lsn: number }[] }>(
      ['gatherer', 'status', '--data', 'two'],
      here(),
    );
    assert.deepEqual(
      clients.map(({ lsn }) => lsn),
      [2],
    );
  });
  await t.test('a Broker that is served and gets an order to collect', async () => {
    await using broker = await startServer<{ search: string }>(
      ['broker', 'serve', '--collect', collect, '--data', 'two', '--port', '0'],
      here(),
    );
    await smallSite(folder.path, 'zoo', { 'numbat.html': 'Numbats eat termites.' });
    await rm(join(folder.path, 'zoo', 'okapi.html'));
    await run();
    await collectNow();
    assert.equal((await find('numbat')).total, 1);
    assert.equal((await find('okapi')).total, 0);
    assert.equal((await brokerStatus()).objects, 2);
    const { hits } = await jsonHere<{ hits: { oid: string; score: number }[] }>(
      ['broker', 'search', 'numbat', '--data', 'two'],
      here(),
    );
    const why = ['broker', 'why', 'numbat termites', hits[0]?.oid ?? '', '--data', 'two'];
    const explained = await jsonHere<{ rank: number; terms: { term: string }[] }>(why, here());
    assert.deepEqual([explained.rank, explained.terms[0]?.term], [1, 'numbat']);
    assert.match((await runHere(why, here())).stdout, /rank 1 of 1[\s\S]*numbat in title/);
    const together = await jsonHere<{ brokers: { total: number; error: string | null }[] }>(
      ['broker', 'search', 'numbat', '--with', broker.ready.search, '--data', 'two'],
      here(),
    );
    assert.deepEqual(
      together.brokers.map(({ total, error }) => [total, error]),
      [
        [1, null],
        [1, null],
      ],
    );
    assert.equal((await broker.stop('SIGINT')).code, 0);
  });
  assert.equal((await gatherer.stop()).code, 0);
});

test('soif check reads standard input and reports byte and line', async () => {
  const good = await runCommand(['soif', 'check', '-'], {
    input: '@FILE { http://a/\nUpdate-Time{1}:\t1\n}\n',
  });
  assert.deepEqual([good.code, good.stderr], [0, '']);
  assert.match(good.stdout, /1 object\b.* 0 faults/);
  const bad = await runCommand(['soif', 'check', '-'], {
    input: '@FILE { http://a/\nTitle{3}:\tabcdef\n}\n',
  });
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /-:2 \(byte \d+\): fault: /);
  await writeFile(join(folder.path, 'plain.gz'), 'not packed');
  for (const [file, said] of [
    ['none.soif', /none\.soif does not exist/],
    ['none.soif.gz', /none\.soif\.gz does not exist/],
    ['zoo', /zoo is a folder/],
    ['plain.gz', /plain\.gz cannot be unpacked/],
  ] as const)
    refused(await runHere(['soif', 'check', file], here()), 2, said, /give a file that this user/);
});

test('config, doctor and completion', async () => {
  await writeFile(join(folder.path, 'garner.yaml'), 'broker:\n  name: Menagerie\n');
  type Row = { key: string; value: unknown; from: string };
  const rows = await jsonHere<Row[]>(['config'], here());
  const { value, from } = rows.find(({ key }) => key === 'broker.name') ?? {};
  assert.deepEqual([value, /garner\.yaml/.test(from ?? '')], ['Menagerie', true]);
  await writeFile(join(folder.path, 'wrong.yaml'), 'broker:\n  nmae: Menagerie\n');
  refused(
    await runHere(['config', '--config', 'wrong.yaml'], here()),
    2,
    /broker\.nmae/,
    /did you mean broker\.name/,
  );
  await rm(join(folder.path, 'garner.yaml'));

  const findings = await jsonHere<{ ok: boolean }[]>(['doctor', '--data', 'new'], here());
  assert.ok(findings.length > 3 && findings.every(({ ok }) => ok));
  const bare = await runCommand(['doctor', '--data', 'new'], { ...here(), env: { PATH: '/nowhere' } });
  assert.equal(bare.code, 0, bare.stdout);
  const installs = /! bsdtar is not installed: .* left packed\n {4}apt-get install libarchive-tools/;
  for (const line of [installs, /✓ no garner\.yaml here: the defaults\n/]) assert.match(bare.stdout, line);
  const port = await freePort();
  const ill = await runHere(['doctor', '--collect', `ws://127.0.0.1:${port}`], here());
  assert.equal(ill.code, 1);
  assert.match(ill.stdout, /✗ source .*cannot be reached.*\n {4}Check that the server runs/);

  const script = await runCommand(['completion']);
  assert.equal(script.code, 0);
  assert.match(script.stdout, /garner --get-yargs-completions/);
});

test('the help of every verb has an example', async () => {
  const world = (write: (text: string) => void) => ({
    stdout: {
      write: (text: string, written?: () => void) => {
        write(text);
        written?.();
        return true;
      },
      on: () => {},
    },
    stderr: { write: () => true, on: () => {} },
    env: {},
    cwd: folder.path,
    interrupts: process,
  });
  const help = async (...words: string[]) => {
    let said = '';
    const settings = async () => [];
    const program = { name: 'garner', version: '0', describe: '', verbs, groups, settings };
    const code = await runProgram(
      program,
      [...words, '--help'],
      world((text) => {
        said += text;
      }),
    );
    assert.equal(code, 0);
    return said;
  };
  const all = await help();
  assert.ok(verbs.length >= 13);
  for (const verb of verbs) {
    const words = wordsOf(verb);
    assert.match(all, new RegExp(`garner ${words[0]}\\b`), words.join(' '));
    const own = await help(...words);
    assert.match(own, new RegExp(`Examples:\\s+garner ${words.join(' ')}\\b`));
    assert.doesNotMatch(own, /\[required\] \[default: \[\]\]/, words.join(' '));
  }
  for (const group of Object.keys(groups))
    assert.match(await help(...group.split(' ')), new RegExp(`Examples:\\s+garner ${group} `), group);
  const { code, stdout } = await runCommand(['up', '--help']);
  assert.equal(code, 0);
  assert.match(stdout, /Examples:\s+(?:npx )?garner up/);
});
