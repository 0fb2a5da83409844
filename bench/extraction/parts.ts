// The benchmark's and the trainer's door to the extractor.
export * from '../../gatherer/index.ts';
