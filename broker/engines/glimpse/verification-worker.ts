// Entry of a worker thread: holds a query against stored objects, a batch at a time.
import { parentPort } from 'node:worker_threads';
import { type BatchAnswer, type BatchToVerify, matching } from './verify-batch.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');

port.on('message', ({ number, query, bodies }: BatchToVerify) => {
  let answer: BatchAnswer;
  try {
    answer = { number, matches: matching(query, bodies) };
  } catch (error) {
    answer = { number, error };
  }
  port.postMessage(answer);
});
