import { engineConformance } from '../../testing/engine-conformance.ts';
import { ReferenceEngine } from './reference-engine.ts';

engineConformance('reference', { durable: false }, async () => ({
  open: async () => new ReferenceEngine(),
  [Symbol.asyncDispose]: async () => {},
}));
