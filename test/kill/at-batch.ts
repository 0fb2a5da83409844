// Loaded into a process to be killed, by `node --import`: kills it exactly before, during or after a batch of one of
// its databases, which a kill from outside cannot hit. The parent sends the point.
import { Level } from 'level';
import type { KillPoint } from './by-bytes.ts';

let armed: KillPoint | undefined;
let bytes = 0;

process.on('message', (point: KillPoint) => {
  armed = point;
  bytes = 0;
});
// The channel to the parent does not keep the process alive.
process.channel?.unref();

function die(): void {
  process.kill(process.pid, 'SIGKILL');
  // This thread does no more work until the signal arrives.
  for (;;);
}

interface Row {
  readonly key: Uint8Array;
  readonly value?: Uint8Array;
}

const prototype = Level.prototype as unknown as {
  batch(rows: readonly Row[], options: unknown): Promise<void>;
};
const original = prototype.batch;

prototype.batch = function batch(rows, options) {
  for (const { key, value } of rows) bytes += key.length + (value?.length ?? 0);
  if (armed === undefined || bytes < armed.bytes) return original.call(this, rows, options);
  if (armed.how === 'before') die();
  const writing = original.call(this, rows, options);
  if (armed.how === 'after') return writing.then(die);
  // Another thread is writing now.
  for (const until = performance.now() + armed.count / 10; performance.now() < until; );
  die();
  return writing;
};
