import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cellBytes } from '../awareness/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import { askMessage, type CollectRequest, readAsk } from './request-message.ts';

const asking = (cells: number): CollectRequest => ({
  ...{ marker: undefined, held: 3, fingerprint: new Uint8Array(16).fill(7), scheme: 'sketch' },
  want: { kind: 'handles' },
  sketch: { cells: new Uint8Array(cells * cellBytes).fill(5) },
});

test('a question may carry the longest stored sketch, and no longer one', () => {
  const { sketch, held, scheme, want } = readAsk(askMessage(asking(65_536)));
  assert.deepEqual(
    [held, scheme, want.kind, sketch?.cells.length],
    [3, 'sketch', 'handles', 65_536 * cellBytes],
  );
  assert.throws(
    () => readAsk(askMessage(asking(65_537))),
    (error) => isGarnerError(error, { code: 'EXCHANGE_MESSAGE' }),
  );
});
