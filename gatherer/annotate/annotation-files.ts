// Annotations as files: loaded for an import or an export.
import { importBibtex } from './bibliography-import.ts';
import { importIafa } from './iafa-import.ts';
import { type Imported, importText } from './imported.ts';
import { importLsm } from './lsm-import.ts';
import { importSoif } from './soif-form.ts';

export { annotationFormats, importAnnotations } from './annotation-import.ts';
export { importLimits } from './imported.ts';
export { importSoif, printAnnotations } from './soif-form.ts';

type Importer = (body: Uint8Array) => Imported | Promise<Imported>;

export const importers: ReadonlyMap<string, Importer> = new Map<string, Importer>([
  ['soif', importSoif],
  ['iafa', (body) => importIafa(importText(body))],
  ['lsm', (body) => importLsm(importText(body))],
  ['bibtex', (body) => importBibtex(importText(body))],
]);
