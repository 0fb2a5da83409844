import { failure } from '../../kernel/index.ts';
import type { Field, RecognisedDocument } from '../../readers/document/index.ts';
import { decodeText } from '../../readers/text/index.ts';
import { isOwnName } from '../summarise/index.ts';
import { moduleErrors, thrownReason } from './errors.ts';
import { loadModule } from './load-module.ts';
import type { ModuleFile } from './module-digest.ts';
import type { Summarise, SummarisedDocument } from './summariser.d.ts';

/** An ES module that summarises documents of a type, in the thread that works on the document. */
export interface SummariserModule extends ModuleFile {
  readonly type: string;
  /** SHA-256 of the file in hex: when it changes, all documents are read again. */
  readonly digest: string;
  /** `replace` what Garner finds itself, or `add` to it; `add` when absent. */
  readonly mode?: 'replace' | 'add';
}

/** The operator's summariser modules by type, each loaded at its first document. */
export class ModuleSummarisers {
  readonly #modules: ReadonlyMap<string, SummariserModule>;
  readonly #loaded = new Map<SummariserModule, Promise<Summarise>>();

  constructor(modules: readonly SummariserModule[]) {
    this.#modules = new Map(modules.map((module) => [module.type.toLowerCase(), module]));
  }

  /** Whether a module summarises documents of this type; these belong in a worker thread. */
  has(type: string): boolean {
    return this.#modules.has(type.toLowerCase());
  }

  /** Whether the module of this type takes the place of Garner's own summariser. */
  replaces(type: string): boolean {
    return this.#modules.get(type.toLowerCase())?.mode === 'replace';
  }

  /** The fields of a type's module, or none. Throws MODULE_*; the caller's thread must be limited. */
  async fields(document: RecognisedDocument, found: readonly Field[]): Promise<readonly Field[]> {
    const own = this.#modules.get(document.type.toLowerCase());
    if (own === undefined) return [];
    const summarise = await this.#load(own);
    // The schema library is loaded only if there is a module.
    const { moduleFields } = await import('./module-fields.ts');
    const { module } = own;
    let returned: unknown;
    try {
      returned = await summarise(givenDocument(document, found));
    } catch (error) {
      throw failure(moduleErrors.MODULE_FAILED, { module, reason: thrownReason(error) });
    }
    return moduleFields(module, returned);
  }

  #load(own: SummariserModule): Promise<Summarise> {
    const loaded = this.#loaded.get(own) ?? loadModule(own, own.digest);
    this.#loaded.set(own, loaded);
    return loaded;
  }
}

/** The argument of a module: copies, so that the module cannot change the summary through them. */
function givenDocument(document: RecognisedDocument, found: readonly Field[]): SummarisedDocument {
  const { url, name, type, mediaType, bytes, lastModified, charset } = document;
  let copy: Uint8Array | undefined;
  return {
    url,
    name,
    type,
    mediaType,
    ...(lastModified === undefined ? {} : { lastModified }),
    fields: Object.assign(Object.create(null), Object.fromEntries(found.filter(([own]) => !isOwnName(own)))),
    get bytes() {
      copy ??= Uint8Array.from(bytes);
      return copy;
    },
    text: () => decodeText(bytes, charset),
  };
}
