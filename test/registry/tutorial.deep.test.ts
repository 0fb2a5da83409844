import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
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

async function follow(step: Step, machine: Machine): Promise<void> {
  const { line, shown } = step;
  if (shown === undefined) {
    const { code, stdout, stderr } = await machine.run(line);
    assert.equal(code, 0, `${machine.name}: ${line}\n${stdout}${stderr}`);
    console.log(stdout);
  } else await until(machine, line, (stdout) => agrees(normalised(shown), normalised(stdout)));
}

test('the tutorial of three departments, copied from its page, makes three machines one search', {
  skip: missingNginx() ?? missingMachines(),
  timeout: 180_000,
}, async () => {
  const all = steps();
  const isInstallation = ({ line }: Step) => line.startsWith('sudo npm install');
  const installation = all.filter(isInstallation);
  assert.equal(installation.length, 1);
  await using folder = await temporaryFolder();
  const pack = ['npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
  const [packed] = JSON.parse((await runInstalled(pack, { cwd: root })).stdout) as [{ filename: string }];
  await using network = await MachineNetwork.open();
  // Once for all, as there is one network of this computer that reaches the registry of npm.
  await network.prepare([join(folder.path, packed.filename)], installation[0]?.line ?? '');
  const machines = new Map<Name, Machine>();
  for (const [name, address] of Object.entries(addresses))
    machines.set(name as Name, await network.start(name, address));
  const on = (name: Name) => machines.get(name) as Machine;
  for (const step of all.filter((one) => !isInstallation(one))) {
    console.log(performance.now() | 0, step.places.join(), step.line.split('\n')[0]);
    assert.ok(step.places.length > 0, `${step.line} is for no machine`);
    await Promise.all(step.places.map((name) => follow(step, on(name))));
  }
});
