import { engineConformance } from '../../testing/engine-conformance.ts';
import { glimpseOnDisk } from '../../testing/glimpse.ts';

engineConformance('glimpse tiny', { durable: true }, () => glimpseOnDisk('tiny'));
