import { engineConformance } from '../../engine-conformance.ts';
import { glimpseOnDisk } from './glimpse-fixture.test.ts';

engineConformance('glimpse tiny', { durable: true }, () => glimpseOnDisk('tiny'));
