import { engineConformance } from '../../testing/engine-conformance.ts';
import { glimpseOnDisk } from '../../testing/glimpse.ts';

engineConformance('glimpse small', { durable: true }, () => glimpseOnDisk('small'));
