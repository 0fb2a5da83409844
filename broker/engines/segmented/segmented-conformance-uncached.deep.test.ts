import { engineConformance } from '../../testing/engine-conformance.ts';
import { flexsearchOnDisk } from '../../testing/segmented-engine.ts';

engineConformance('flexsearch without a cache', { durable: true }, () => flexsearchOnDisk({ cacheBytes: 0 }));
