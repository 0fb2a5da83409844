import { engineConformance } from '../../testing/engine-conformance.ts';
import { flexsearchOnDisk } from '../../testing/segmented-engine.ts';

engineConformance('flexsearch without positions', { durable: true }, () =>
  flexsearchOnDisk({ positions: false }),
);
