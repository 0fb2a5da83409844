import { engineConformance } from '../engine-conformance.ts';
import { ReferenceEngine } from './reference-engine.ts';

engineConformance('reference', async () => ({
  durable: false,
  open: async () => new ReferenceEngine(),
  [Symbol.asyncDispose]: async () => {},
}));
