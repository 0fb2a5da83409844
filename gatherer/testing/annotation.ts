import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SummaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { AnnotationStore, type AnnotationStoreOptions } from '../annotate/annotation-store.ts';
import { type AnnotatedObjects, Annotations } from '../annotate/annotations.ts';

/** Stored objects in memory, for tests; the process can "die" before a put. */
export class StoredObjects implements AnnotatedObjects {
  readonly objects = new Map<string, SummaryObject>();
  readonly toRead: string[] = [];
  dying = false;

  async edit(url: string, edit: Parameters<AnnotatedObjects['edit']>[1]): Promise<void> {
    const edited = await edit(this.objects.get(url));
    if (this.dying && edited.kind !== 'keep') throw new Error('killed');
    if (edited.kind === 'put') this.objects.set(url, edited.object);
    if (edited.kind === 'read') this.toRead.push(url);
  }
}

/** Annotations over a real database in a folder of its own, and stored objects in memory. */
export interface AnnotationWorld extends AsyncDisposable {
  readonly stored: StoredObjects;
  readonly annotations: Annotations;
  /** Open it like a restarted process. */
  open(): Promise<Annotations>;
  gather(annotations: Annotations, object: SummaryObject): Promise<void>;
}

export async function annotationWorld(options: AnnotationStoreOptions = {}): Promise<AnnotationWorld> {
  const path = await mkdtemp(join(tmpdir(), 'garner-annotations-'));
  const database = await openDatabase(path);
  const stored = new StoredObjects();
  const open = async () => new Annotations(await AnnotationStore.open(database, options), stored);
  return {
    stored,
    open,
    annotations: await open(),
    gather: async (annotations, object) => {
      stored.objects.set(object.url, await annotations.applyTo(object));
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await rm(path, { recursive: true });
    },
  };
}
