import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FederatedAnswer } from '../../broker/index.ts';
import type { ServerEntry } from '../../registry/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { runInstalled } from '../installed-program.ts';
import { type Machine, MachineNetwork, missingMachines } from '../machines.ts';
import { fence, pages, root, type Typed, typedLines } from '../manual-pages.ts';
import { missingNginx } from '../nginx-origin.ts';
import { agrees, normalised } from '../transcripts.ts';

const path = 'docs/tutorials/three-departments.md';
const addresses = { physics: '10.0.0.11', history: '10.0.0.12', library: '10.0.0.13', desktop: '10.0.0.14' };
type Name = keyof typeof addresses;
const departments: readonly Name[] = ['physics', 'history', 'library'];

/** The machines that the words before a block name. */
function placesOf(prose: string): readonly Name[] | undefined {
  const said = [
    ...prose.matchAll(
      /\bon (?:`(physics|history|library)`|(each machine|every computer|the fourth computer))/gi,
    ),
  ].at(-1);
  if (said === undefined) return undefined;
  const [, name, several = ''] = said;
  if (name !== undefined) return [name as Name];
  const [each, every] = [departments, [...departments, 'desktop' as const]];
  return { each, every, the: ['desktop' as const] }[several.split(' ')[0] ?? ''];
}

interface Step extends Typed {
  readonly places: readonly Name[];
}

/** Every command line of the page, with the machines that it is for. */
function steps(): Step[] {
  const text = pages().find((page) => page.path === path)?.text ?? '';
  let [places, from]: [readonly Name[], number] = [[], 0];
  return [...text.matchAll(fence)].flatMap(({ 0: whole, 2: language = '', 3: body = '', index }) => {
    places = placesOf(text.slice(from, index)) ?? places;
    from = index + whole.length;
    return typedLines({ language, body }).map((typed) => ({ ...typed, places }));
  });
}

/** What a command of a machine prints as soon as it is as wanted. */
async function until(machine: Machine, line: string, isWanted: (stdout: string) => boolean): Promise<string> {
  const end = performance.now() + 30_000;
  for (;;) {
    const { code, stdout, stderr } = await machine.run(line);
    if (code === 0 && isWanted(stdout)) return stdout;
    assert.ok(performance.now() < end, `${machine.name}: ${line}\nended with ${code}\n${stdout}${stderr}`);
  }
}

/** Run a line of the page. One with output is repeated until it prints that, as servers need a moment to register. */
async function follow({ line, shown }: Step, machine: Machine): Promise<void> {
  if (shown !== undefined) {
    // Times differ; the numbers of hits and Brokers do not.
    const [counts = ''] = shown.split(' in ');
    const isShown = (stdout: string) => agrees(normalised(shown), normalised(stdout));
    await until(machine, line, (stdout) => stdout.startsWith(counts) && isShown(stdout));
    return;
  }
  const { code, stdout, stderr } = await machine.run(line);
  assert.equal(code, 0, `${machine.name}: ${line}\n${stdout}${stderr}`);
}

const search = 'http://library.example.org/search/';

/** What a machine gets from the Registry as soon as it is as wanted. */
async function asked<Value>(
  machine: Machine,
  path: string,
  isWanted: (value: Value) => boolean,
): Promise<Value> {
  const read = (stdout: string) => JSON.parse(stdout) as Value;
  return read(await until(machine, `curl -sf '${search}${path}'`, (stdout) => isWanted(read(stdout))));
}

interface Topology {
  readonly nodes: readonly unknown[];
  readonly edges: readonly { readonly kind: string }[];
}

interface Servers {
  readonly servers: readonly ServerEntry[];
}

/** The state that the page promises before it stops a Broker. */
async function assertOneSearch(desktop: Machine): Promise<void> {
  const { hits, coverage } = await asked<FederatedAnswer>(desktop, 'federated?q=tide', () => true);
  assert.deepEqual(coverage, { asked: 3, answered: 3 });
  const urls = hits.map(({ broker }) => new URL(broker).hostname);
  assert.deepEqual(urls.toSorted(), departments.map((name) => `${name}.example.org`).toSorted());
  // Every Broker says what it has collected long before its first renewal.
  const { servers } = await asked<Servers>(
    desktop,
    'servers',
    (answer) => answer.servers.length === 6 && answer.servers.every(({ objects }) => objects === 1),
  );
  assert.deepEqual(
    servers.map(({ type, url }) => `${type} ${new URL(url).hostname}`).toSorted(),
    ['BROKER', 'GATHERER']
      .flatMap((type) => departments.map((name) => `${type} ${name}.example.org`))
      .toSorted(),
  );
  await asked<Servers>(desktop, 'servers', (answer) =>
    answer.servers.every(({ proof }) => proof === 'proved'),
  );
  const form = `-H 'Origin: http://library.example.org' -d 'type=broker&name=Harbour&url=http://harvest.example.org/'`;
  const applied = await desktop.run(`curl -si ${form} '${search}register'`);
  assert.match(applied.stdout, /^HTTP\/1\.1 303 /, 'the form of the page works behind nginx');
  const topology = await asked<Topology>(desktop, 'topology', () => true);
  const count = (kind: string) => topology.edges.filter((edge) => edge.kind === kind).length;
  assert.deepEqual([count('gathers'), count('collects'), topology.nodes.length], [3, 3, 9]);
  const { stdout: page } = await desktop.run(`curl -sf -H 'Accept: text/html' '${search}?q=tide'`);
  for (const title of ['The moon and the tide', 'The great flood of 1634', 'Catalogue: tide tables'])
    assert.ok(page.replaceAll(/<\/?mark>/g, '').includes(title), page);
}

test('the tutorial of three departments, copied from its page, makes three machines one search', {
  skip: missingNginx() ?? missingMachines(),
  timeout: 180_000,
}, async () => {
  const all = steps();
  const isInstallation = ({ line }: Step) => line.startsWith('sudo npm install');
  const isStop = ({ line }: Step) => line.startsWith('kill');
  const installation = all.filter(isInstallation);
  assert.deepEqual([installation.length, all.filter(isStop).length], [1, 1]);
  await using folder = await temporaryFolder();
  const pack = ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
  const [packed] = JSON.parse((await runInstalled(pack, { cwd: root })).stdout) as [{ filename: string }];
  await using network = await MachineNetwork.open();
  // Once for all machines: only this computer's network reaches the registry of npm.
  await network.prepare([join(folder.path, packed.filename)], installation[0]?.line ?? '');
  const machines = new Map<Name, Machine>();
  for (const [name, address] of Object.entries(addresses))
    machines.set(name as Name, await network.start(name, address));
  const on = (name: Name) => machines.get(name) as Machine;
  for (const step of all.filter((one) => !isInstallation(one))) {
    assert.ok(step.places.length > 0, `${step.line} is for no machine`);
    if (isStop(step)) await assertOneSearch(on('desktop'));
    await Promise.all(step.places.map((name) => follow(step, on(name))));
  }
  const said = all.filter(({ line }) => line.startsWith('garner search')).map(({ shown = '' }) => shown);
  assert.match(said[0] ?? '', /^3 results of 3 of 3 Brokers/);
  assert.match(said[1] ?? '', /^2 results of 2 of 3 Brokers.*\n +without history/);
  const isWhole = ({ coverage }: FederatedAnswer) => coverage.answered === 3;
  await asked<FederatedAnswer>(on('desktop'), 'federated?q=tide', isWhole);
});
