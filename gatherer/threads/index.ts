// Documents are worked on in threads, where a broken or endless one can be given up: a processor hands them out, each
// thread runs document-worker.ts.
export { LightFirstProcessor } from './light-first-processor.ts';
export { ThreadProcessor } from './thread-processor.ts';
export type { ThreadBounds } from './worker-thread.ts';
