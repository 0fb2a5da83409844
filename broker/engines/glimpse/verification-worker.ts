// Entry of a worker thread: checks stored objects against a query, a batch at a time.
import { parentPort } from 'node:worker_threads';
import { answerTo, type BatchToVerify } from './verify-batch.ts';

const port = parentPort;
if (port === null) throw new Error('this file is the entry of a worker thread');

port.on('message', (batch: BatchToVerify) => port.postMessage(answerTo(batch)));
