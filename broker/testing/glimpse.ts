import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeObject, type Oid } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { GlimpseEngine } from '../engines/glimpse/glimpse-engine.ts';
import type { GlimpseSize } from '../settings.ts';
import type { EngineFixture } from './engine-conformance.ts';

/** A Glimpse engine of a size in a folder of its own. */
export async function glimpseOnDisk(size: GlimpseSize): Promise<EngineFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-glimpse-'));
  const database = await openDatabase(join(folder, 'index'));
  return {
    open: (objectOf) => {
      const bodyOf = async (oid: Oid) => {
        const object = await objectOf(oid);
        return object === undefined ? undefined : encodeObject(object);
      };
      return GlimpseEngine.open({
        database,
        size,
        facetAttributes: ['Language', 'Publisher'],
        bodiesOf: (oids) => Promise.all(oids.map(bodyOf)),
      });
    },
    settled: (engine) => (engine as GlimpseEngine).settled(),
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
