import { ZipParts } from '../../archives/index.ts';
import type { Field } from '../../document/index.ts';
import { eachOf, fact, joined, languageTag } from '../../text/index.ts';
import { elementTexts, localAttribute, localName, readXml } from '../../xml/index.ts';

const maxRelations = 50_000;

/** Where a relation leads: a part of the package, or an address outside. */
export interface Relation {
  readonly id: string;
  /** The last word of its type, such as `slide` or `hyperlink`. */
  readonly kind: string;
  readonly target: string;
  readonly external: boolean;
}

/** An Office Open XML package (ISO/IEC 29500-2): parts and how they belong together. */
export class OfficePackage {
  readonly parts: ZipParts;
  readonly #notes: string[];

  private constructor(parts: ZipParts, notes: string[]) {
    this.parts = parts;
    this.#notes = notes;
  }

  /** Open a package in memory; parts that cannot be read leave a sentence in `notes`. */
  static async open(bytes: Uint8Array, notes: string[]): Promise<OfficePackage> {
    return new OfficePackage(await ZipParts.open(bytes, notes), notes);
  }

  /** A part unpacked; empty when there is none. */
  async part(name: string): Promise<Uint8Array> {
    return (await this.parts.readable(name, this.#notes)) ?? new Uint8Array();
  }

  /** The relations of a part, in order; of the package itself for an empty name. */
  async relations(part: string): Promise<readonly Relation[]> {
    const slash = part.lastIndexOf('/') + 1;
    const name = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`;
    const relations: Relation[] = [];
    readXml(await this.part(name), {
      open: (element, attributes) => {
        if (localName(element) !== 'Relationship' || relations.length >= maxRelations) return;
        const target = localAttribute(attributes, 'Target') ?? '';
        const external = localAttribute(attributes, 'TargetMode') === 'External';
        const type = localAttribute(attributes, 'Type') ?? '';
        relations.push({
          id: localAttribute(attributes, 'Id') ?? '',
          kind: type.slice(type.lastIndexOf('/') + 1),
          target: external ? target : resolvedPart(part, target),
          external,
        });
      },
    });
    return relations;
  }

  /** The part the package is about: the document, workbook or presentation. */
  async main(): Promise<string | undefined> {
    const relations = await this.relations('');
    return relations.find(({ kind }) => kind === 'officeDocument')?.target;
  }
}

function resolvedPart(from: string, target: string): string {
  const steps = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  return steps.join('/');
}

/** A string of a workbook or of properties, its escapes of characters such as `_x000D_` undone (ISO/IEC 29500-1 section 22.9.2.19). */
export function withoutEscapes(text: string): string {
  return text.replace(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
    String.fromCharCode(Math.max(0x20, Number.parseInt(code, 16))),
  );
}

/** The core and extended properties (ISO/IEC 29500-2 section 11, 29500-1 section 22.2). */
export async function readProperties(
  office: OfficePackage,
): Promise<{ readonly title: string | undefined; readonly fields: readonly Field[] }> {
  const core = elementTexts(await office.part('docProps/core.xml'));
  const extended = elementTexts(await office.part('docProps/app.xml'));
  const one = (name: string) => core.get(name)?.[0];
  const count = (name: string) => extended.get(name)?.[0];
  const keywords = (one('cp:keywords') ?? '').split(/[,;]/);
  return {
    title: withoutEscapes(one('dc:title') ?? ''),
    fields: [
      ...eachOf('Author', (one('dc:creator') ?? '').split(';')),
      fact('Subject', one('dc:subject')),
      joined('Keywords', keywords),
      fact('Description', one('dc:description')),
      fact('Category', one('cp:category')),
      fact('Language', languageTag(one('dc:language')) ?? ''),
      fact('Last-Editor', one('cp:lastModifiedBy')),
      fact('Creation-Date', one('dcterms:created')),
      fact('Modification-Date', one('dcterms:modified')),
      fact('Creator', count('Application')),
      fact('Organisation', count('Company')),
      fact('Pages', count('Pages')),
      fact('Words', count('Words')),
    ],
  };
}
