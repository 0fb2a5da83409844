import { engineConformance } from '../engine-conformance.ts';
import { flexsearchOnDisk } from './flexsearch-fixture.test.ts';

engineConformance('flexsearch without positions', { durable: true }, () =>
  flexsearchOnDisk({ positions: false }),
);
