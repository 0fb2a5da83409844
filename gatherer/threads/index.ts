// Documents are worked on in threads, where a broken or endless one can be given up: a processor hands them out, each
// thread runs document-worker.ts.
export { LightFirstProcessor } from './light-first-processor.ts';
