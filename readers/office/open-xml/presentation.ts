import type { Field } from '../../document/index.ts';
import { fact, RunningText, type StructuredText } from '../../text/index.ts';
import { localAttribute, localName, readXml, type XmlAttributes, type XmlHandler } from '../../xml/index.ts';
import { addDrawings, addTexts, withoutFallbacks } from './drawing.ts';
import type { OfficePackage } from './package.ts';

const maxSlides = 5000;
const maxParagraph = 100_000;

/**
 * Read each slide's title (as a heading), text, notes, charts, diagrams and comments, then the footers. Returns the counts
 * of slides and of notes.
 */
export async function readPresentation(
  office: OfficePackage,
  main: string,
  text: StructuredText,
): Promise<readonly Field[]> {
  const relations = await office.relations(main);
  const slides: string[] = [];
  readXml(await office.part(main), {
    open: (element, attributes) => {
      if (localName(element) !== 'sldId' || slides.length >= maxSlides) return;
      // The slide's number is an attribute `id` too. Only the id of the relation has a prefix.
      const id = Object.entries(attributes).find(([key]) => /:id$/.test(key))?.[1];
      const part = relations.find((relation) => relation.id === id)?.target;
      if (part !== undefined) slides.push(part);
    },
  });
  let notes = 0;
  const running = new RunningText();
  for (const slide of slides) {
    readXml(await office.part(slide), withoutFallbacks(new SlideReader(text, false, running)));
    const relations = await office.relations(slide);
    for (const { kind, external, target } of relations) {
      if (kind === 'hyperlink' && external) text.references.add(target, true);
      if (kind !== 'notesSlide' || external) continue;
      notes++;
      readXml(await office.part(target), withoutFallbacks(new SlideReader(text, true, running)));
    }
    await addDrawings(office, relations, text);
    for (const { kind, target } of relations)
      if (kind === 'comments') addTexts(await office.part(target), text);
  }
  running.addTo(text);
  return [fact('Slides', slides.length), fact('Slides-With-Notes', notes === 0 ? undefined : String(notes))];
}

class SlideReader implements XmlHandler {
  readonly #text: StructuredText;
  /** Whether it reads a page of notes. Only the body of such a page is read: the rest repeats the slide. */
  readonly #notes: boolean;
  #placeholder = '';
  #paragraph = '';
  #title = '';
  #row: string[] | undefined;
  #cell = '';
  #inText = false;

  readonly #running: RunningText;

  constructor(text: StructuredText, notes: boolean, running: RunningText) {
    this.#text = text;
    this.#notes = notes;
    this.#running = running;
  }

  open(element: string, attributes: XmlAttributes): void {
    switch (localName(element)) {
      case 'sp':
        this.#placeholder = '';
        this.#title = '';
        break;
      case 'ph':
        this.#placeholder = localAttribute(attributes, 'type') ?? 'body';
        break;
      case 'p':
        this.#paragraph = '';
        break;
      case 't':
        this.#inText = true;
        break;
      case 'br':
      case 'tab':
        this.#paragraph += ' ';
        break;
      case 'tr':
        this.#row = [];
        break;
      case 'tc':
        this.#cell = '';
        break;
    }
  }

  text(text: string): void {
    if (this.#inText && this.#paragraph.length < maxParagraph) this.#paragraph += text;
  }

  close(element: string): void {
    switch (localName(element)) {
      case 't':
        this.#inText = false;
        break;
      case 'p':
        this.#endParagraph();
        break;
      case 'tc':
        this.#row?.push(this.#cell.trim());
        break;
      case 'tr':
        this.#text.row((this.#row ?? []).join('\t'));
        this.#row = undefined;
        break;
      case 'sp':
        this.#text.heading(this.#title);
        this.#title = '';
        this.#placeholder = '';
        break;
    }
  }

  #endParagraph(): void {
    const text = this.#paragraph;
    this.#paragraph = '';
    if (this.#placeholder === 'ftr' && !this.#notes) this.#running.paragraph(text);
    if (/^(?:dt|ftr|sldNum|hdr|sldImg)$/.test(this.#placeholder)) return;
    if (this.#notes) {
      if (this.#placeholder === 'body' || this.#placeholder === '') this.#text.paragraph(text);
    } else if (this.#row !== undefined) this.#cell += ` ${text}`;
    else if (/title$/i.test(this.#placeholder)) this.#title += ` ${text}`;
    else this.#text.paragraph(text);
  }
}
