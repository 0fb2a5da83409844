import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Fetch } from '../fetch/index.ts';
import { seededRandom, systemClock } from '../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../soif/index.ts';
import { registrationFailed } from './events.ts';
import { Registration } from './registration.ts';
import { described, openRegistry } from './testing/open-registry.ts';

test('a server that registers at three Registries with one content is taken by all, and nothing fails', async () => {
  await using registry = await openRegistry();
  const { clock, directory } = registry;
  const failures: unknown[] = [];
  const stop = registrationFailed.subscribe(({ error }) => failures.push(error));
  let [open, sent] = [0, 0];
  let attributes: readonly (readonly [string, string])[] = [['Topic', 'tides '.repeat(200)]];
  const quiet = async () => {
    for (let turns = 0; turns < 5; turns++) {
      if (open > 0) turns = 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await directory.upToDate();
  };
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1000);
      await quiet();
    }
  };
  {
    // One Registry under three names is like three that pass everything on at once.
    await using registration = new Registration({
      ...{ identity: identityFrom(newIdentitySecret()), clock, random: seededRandom(1) },
      registries: [registry.url, registry.url, registry.url],
      describe: () => ({ ...described, attributes }),
      fetch: async (request) => {
        sent++;
        open++;
        const response = await registry.fetch(request);
        setImmediate(() => open--);
        return response;
      },
    });
    const started = clock.now() / 1000;
    await quiet();
    assert.deepEqual([sent, directory.list()[0]?.updatedAt], [1, started]);
    await pass(2);
    assert.deepEqual([sent, directory.list()[0]?.updatedAt], [3, started + 2], 'one Update-Time each');
    // The change from the version before does not fit where another Registry has passed on the new one.
    attributes = [
      ['Opening-Hours', 'at high water'],
      ['Topic', `ships and ${attributes[0]?.[1]}`],
    ];
    registration.changed();
    await pass(8);
    assert.match(directory.list()[0]?.topic ?? '', /ships/);
    assert.equal(sent, 8, 'the two whose change does not fit send the whole');
    await pass(120);
    assert.equal(directory.list()[0]?.state, 'live');
  }
  await directory.upToDate();
  stop();
  assert.deepEqual(failures, []);
  assert.deepEqual(directory.list(), [], 'the first withdrawal removes it, and the others are no fault');
});

test('a server that has no path for registrations is reported as no Registry', async () => {
  const address = 'http://127.0.0.1:8501/';
  const failed = new Promise<unknown>((resolve) => {
    registrationFailed.subscribe(({ registry, error }) => registry === address && resolve(error));
  });
  const answer = { ...{ url: '', redirects: [], status: 404, notModified: false, etag: undefined } };
  const fetch: Fetch = async () => ({
    ...{ ...answer, lastModified: undefined, contentType: undefined, location: undefined, wireBytes: 0 },
    ...{ headers: {}, body: (async function* () {})(), [Symbol.asyncDispose]: async () => undefined },
  });
  await using _registration = new Registration({
    ...{ identity: identityFrom(newIdentitySecret()), registries: [address], fetch },
    ...{ clock: systemClock, random: seededRandom(1), describe: () => described },
  });
  assert.match(
    String(await failed),
    /127\.0\.0\.1:8501\/ does not answer as a Registry: another server listens/,
  );
});
