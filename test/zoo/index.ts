// Real documents, one or more for each type that has a summariser: made by programs of Debian or taken from its packages,
// never written by the code under test. docs/summarisers.md names them as examples, test/zoo.test.ts checks them.
import { collections } from './collections.ts';
import type { Exhibit } from './exhibit.ts';
import { media } from './media.ts';
import { officeFiles } from './office.ts';
import { papers } from './papers.ts';
import { programs } from './programs.ts';

export type { Exhibit, Origin } from './exhibit.ts';

/** Every exhibit. */
export const zoo: readonly Exhibit[] = [...papers, ...officeFiles, ...programs, ...media, ...collections];
