import { engineConformance } from '../engine-conformance.ts';
import { flexsearchOnDisk } from './flexsearch-fixture.test.ts';

engineConformance('flexsearch', { durable: true }, () => flexsearchOnDisk());
