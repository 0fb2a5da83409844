import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemes } from '../../awareness/index.ts';
import { objectStoreModel } from '../../store/index.ts';
import { schemeLines } from './schemes.ts';

test('every scheme is named once: as one that loses nothing, or with the reason why it would', () => {
  const [fit = '', ...against] = schemeLines(['the Gatherer', 'the Broker'], objectStoreModel);
  assert.match(
    fit,
    /^the stores of the Gatherer and the Broker can be collected by the schemes simple-snapshot, .*log.*sketch/,
  );
  assert.ok(
    against.includes('scheme handle-snapshot is not used: a handle alone does not show an update in place'),
  );
  const words = [fit, ...against].flatMap((line) =>
    (/schemes? (.*?)(?: (?:is|are) not used:|$)/.exec(line)?.[1] ?? '').split(', '),
  );
  for (const { name } of schemes) assert.equal(words.filter((word) => word === name).length, 1, name);
  // Where nothing is ever deleted and no handle hides a change there is nothing to refuse but a handle's update.
  const still = { ...objectStoreModel, deletes: false, updates: 'version', handleReuse: false } as const;
  assert.equal(schemeLines(['the Broker'], still).length, 1);
  assert.deepEqual(schemeLines([], objectStoreModel), []);
});
