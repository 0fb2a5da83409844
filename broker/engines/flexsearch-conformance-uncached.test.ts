import { engineConformance } from '../engine-conformance.ts';
import { flexsearchOnDisk } from './flexsearch-fixture.test.ts';

engineConformance('flexsearch without a cache', { durable: true }, () => flexsearchOnDisk({ cacheBytes: 0 }));
