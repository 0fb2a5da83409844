import { engineConformance } from '../../testing/engine-conformance.ts';
import { flexsearchOnDisk } from '../../testing/segmented-engine.ts';

engineConformance('flexsearch', { durable: true }, () => flexsearchOnDisk());
