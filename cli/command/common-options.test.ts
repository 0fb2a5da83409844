import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { listen } from '../../http/index.ts';
import { GarnerError } from '../../kernel/index.ts';
import { onPortOf } from './common-options.ts';

test('a port that is taken is reported with the option that chose it', async () => {
  await using taken = createServer();
  await listen(taken, '127.0.0.1', 0);
  const { port } = taken.address() as { port: number };
  const error = await onPortOf('--admin-port', () => listen(createServer(), '127.0.0.1', port)).catch(
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof GarnerError);
  assert.equal(error.code, 'HTTP_PORT_IN_USE');
  assert.equal(error.message, `port ${port} is already in use`);
  assert.match(error.hint, /choose --admin-port \d+, or --admin-port 0 /);
  await assert.rejects(
    onPortOf('--tls-port', async () => assert.fail('as it was')),
    /as it was/,
  );
});
