// Entry of a worker thread: makes a segment of a part of a batch.
import { parentPort } from 'node:worker_threads';
import { decodeObject } from '../../../soif/index.ts';
import { buildSegment } from './segment-part.ts';
import type { PartToBuild } from './segment-threads.ts';
import { SegmentWriter } from './segment-writer.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');

port.on('message', async ({ bodies, positions, ...part }: PartToBuild) => {
  const builder = new SegmentWriter(part.from, part.lengths, positions);
  port.postMessage(
    await buildSegment(builder, { ...part, objects: bodies.map((body) => decodeObject(body)) }),
  );
});
