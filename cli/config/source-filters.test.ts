import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkConfig } from '../doctor/config-check.ts';
import { allSettings } from './all-settings.ts';
import { effectiveConfig } from './config.ts';
import { Mistakes } from './config-errors.ts';
import { brokerSources, filterWords } from './source-filters.ts';

const collect = 'broker:\n  collect: [127.0.0.1:8500, wss://b.example/wire]\n  filters:\n';

function configOf(text: string) {
  const mistakes = new Mistakes();
  return { mistakes, config: effectiveConfig([allSettings], { file: { name: 'f.yaml', text }, mistakes }) };
}

/** Where each mistake stands and what is said of it. */
async function faults(text: string): Promise<readonly string[]> {
  const { mistakes, config } = configOf(text);
  await checkConfig(config, mistakes);
  try {
    mistakes.throwAny();
    return [];
  } catch (error) {
    const { data, message } = error as {
      data: { mistakes?: { at: string; message: string }[]; at: string };
    } & Error;
    return (data.mistakes ?? [{ at: data.at, message }]).map(({ at, message: said }) => `${at} ${said}`);
  }
}

const withoutPlace = (sources: ReturnType<typeof brokerSources>) =>
  sources.map(({ from: _, ...source }) => source);

test('sources have the filters that name them', async () => {
  const text = `${collect}    - { source: 'ws://127.0.0.1:8500/', query: 'Type: report', max-age: 260w }
    - { source: 'wss://b.example/wire', max-age: 36h, age-attribute: Date }
`;
  assert.deepEqual(await faults(text), []);
  const sources = brokerSources(configOf(text).config);
  assert.ok(
    sources.every(({ from }) => from === 'f.yaml:2'),
    'each knows where it stands',
  );
  assert.deepEqual(withoutPlace(sources), [
    {
      url: 'ws://127.0.0.1:8500/',
      filter: {
        query: 'Type: report',
        age: { attribute: 'Last-Modification-Time', seconds: 260 * 7 * 86_400 },
      },
    },
    { url: 'wss://b.example/wire', filter: { age: { attribute: 'Date', seconds: 36 * 3600 } } },
  ]);
  assert.deepEqual(
    sources.map(({ filter }) => filter && filterWords(filter)),
    ['Type: report, Last-Modification-Time at most 260w ago', 'Date at most 36h ago'],
  );
  assert.deepEqual(withoutPlace(brokerSources(configOf('broker: { collect: [a] }').config)), [
    { url: 'ws://a/' },
  ]);
  const serverId = 'BoodWSM0bEbyJgdjkY6uDQ';
  const pushed = `broker:
  collect: ['push:harbour@${serverId}']
  filters: [{ source: 'push:${serverId}', query: red }]
`;
  assert.deepEqual(await faults(pushed), []);
  assert.deepEqual(withoutPlace(brokerSources(configOf(pushed).config)), [
    { url: `push:${serverId}`, pusher: { serverId, name: 'harbour' }, filter: { query: 'red' } },
  ]);
});

test('every filter that means nothing is refused where it stands', async () => {
  const lines = [
    ["{ source: 'ws://else/', query: a }", /from which this Broker does not collect/],
    ['{ query: a }', /source is missing/],
    ["{ source: '127.0.0.1:8500' }", /filters nothing/],
    ["{ source: '127.0.0.1:8500', query: '(a' }", /is "\(a": .*parenthesis/],
    ["{ source: '127.0.0.1:8500', query: 'AND' }", /AND has nothing to join/],
    ["{ source: '127.0.0.1:8500', query: '' }", /is not a query/],
    ["{ source: '127.0.0.1:8500', query: [a] }", /is not a query/],
    ["{ source: '127.0.0.1:8500', max-age: 5y }", /is not an age/],
    ["{ source: '127.0.0.1:8500', max-age: 10 }", /is not an age/],
    ["{ source: '127.0.0.1:8500', max-age: 0 }", /is not an age/],
    ["{ source: '127.0.0.1:8500', max-age: 500ms }", /is not an age/],
    ["{ source: '127.0.0.1:8500', query: a, age-attribute: Date }", /needs max-age/],
    ["{ source: '127.0.0.1:8500', max-age: 1d, age-attribute: 'a b' }", /is not the name of an attribute/],
    ["{ source: '127.0.0.1:8500', query: a, age: 5d }", /age is not an option/],
  ] as const;
  const said = await faults(collect + lines.map(([line]) => `    - ${line}\n`).join(''));
  assert.equal(said.length, lines.length);
  for (const [i, [line, words]] of lines.entries()) {
    assert.match(said[i] ?? '', words, line);
    assert.ok(said[i]?.startsWith(`f.yaml:${i + 4} broker.filters[${i}]`), said[i]);
  }
  assert.deepEqual(
    await faults("broker.filters: [{ source: 'ws://a/', query: a }]"),
    [],
    'sources may be flags',
  );
  assert.match(
    (await faults("broker.filters: [{ source: 'http://a/', query: a }]")).join(),
    /does not collect/,
  );
  const twice = `${collect}    - { source: '127.0.0.1:8500', query: a }\n    - { source: '127.0.0.1:8500', query: b }\n`;
  assert.match((await faults(twice)).join(), /^f.yaml:5 broker.filters\[1\] filters a source a second time$/);
});

test('a scheme that does not exist is refused, and one that nearly does is named', async () => {
  assert.deepEqual(await faults('broker: { scheme: short-ids }'), []);
  const { mistakes, config } = configOf('broker: { scheme: signatur }');
  await checkConfig(config, mistakes);
  assert.throws(
    () => mistakes.throwAny(),
    (error) => error instanceof Error && 'hint' in error && /did you mean signature\?/.test(`${error.hint}`),
  );
});
