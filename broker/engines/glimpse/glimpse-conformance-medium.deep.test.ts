import { engineConformance } from '../../testing/engine-conformance.ts';
import { glimpseOnDisk } from '../../testing/glimpse.ts';

engineConformance('glimpse medium', { durable: true }, () => glimpseOnDisk('medium'));
