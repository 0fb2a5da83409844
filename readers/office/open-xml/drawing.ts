import type { StructuredText } from '../../text/index.ts';
import { localName, readXml, type XmlHandler } from '../../xml/index.ts';
import type { OfficePackage, Relation } from './package.ts';

const maxParagraph = 100_000;
const maxParts = 2000;

/** Parts of drawings by the kind of relation that leads to them. */
const drawings: ReadonlySet<string> = new Set(['chart', 'chartEx', 'diagramData', 'drawing']);

/** Read the texts of charts, diagrams and shapes that relations lead to, and those that a drawing leads to. */
export async function addDrawings(
  office: OfficePackage,
  relations: readonly Relation[],
  text: StructuredText,
): Promise<void> {
  for (const { kind, external, target } of relations.slice(0, maxParts)) {
    if (external || !drawings.has(kind)) continue;
    addTexts(await office.part(target), text);
    if (kind !== 'drawing') continue;
    for (const inner of await office.relations(target))
      if (inner.kind !== 'drawing' && drawings.has(inner.kind))
        addTexts(await office.part(inner.target), text);
  }
}

/** A handler that does not receive what older programs show instead (ISO/IEC 29500-3 section 9.3). */
export function withoutFallbacks(handler: XmlHandler): XmlHandler {
  let inside = 0;
  return {
    open: (element, attributes) => {
      if (localName(element) === 'Fallback') inside++;
      if (inside === 0) handler.open?.(element, attributes);
    },
    text: (part) => {
      if (inside === 0) handler.text?.(part);
    },
    close: (element) => {
      if (inside === 0) handler.close?.(element);
      if (localName(element) === 'Fallback') inside--;
    },
  };
}

/** Paragraphs of DrawingML (ISO/IEC 29500-1 section 21.1), a chart's names of series and categories, comments. */
export function addTexts(bytes: Uint8Array, text: StructuredText): void {
  const seen = new Set<string>();
  let paragraph = '';
  let inText = false;
  let strings = 0;
  const end = () => {
    if (strings === 0 || !seen.has(paragraph)) text.paragraph(paragraph);
    if (strings > 0 && seen.size < maxParts) seen.add(paragraph);
    paragraph = '';
  };
  const handler: XmlHandler = {
    open: (element) => {
      const name = localName(element);
      if (name === 'strCache') strings++;
      else if (name === 'p') paragraph = '';
      else if (name === 't' || name === 'text' || (name === 'v' && strings > 0)) inText = true;
      else if (name === 'br' || name === 'tab') paragraph += ' ';
    },
    text: (part) => {
      if (inText && paragraph.length < maxParagraph) paragraph += part;
    },
    close: (element) => {
      const name = localName(element);
      if (name === 't' || name === 'v' || name === 'text') inText = false;
      if (name === 'p' || name === 'text' || (name === 'v' && strings > 0)) end();
      if (name === 'strCache') strings--;
    },
  };
  readXml(bytes, withoutFallbacks(handler));
}
