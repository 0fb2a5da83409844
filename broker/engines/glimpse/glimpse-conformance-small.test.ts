import { engineConformance } from '../../engine-conformance.ts';
import { glimpseOnDisk } from './glimpse-fixture.test.ts';

engineConformance('glimpse small', { durable: true }, () => glimpseOnDisk('small'));
