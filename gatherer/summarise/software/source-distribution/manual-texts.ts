import { latin1Start } from '../../../../readers/bytes/index.ts';
import type { Block, SummariseOptions } from '../../../../readers/document/index.ts';
import { NameList } from '../../../../readers/text/index.ts';
import { summariseManPage } from '../../papers/man-page.ts';
import { NearestTop } from './nearest-top.ts';

const maxPages = 1000;
const maxPageBytes = 1024 * 1024;
const maxBytes = 16 * 1024 * 1024;
const maxPageText = 256 * 1024;
const maxTexts = 200;
const maxText = 4 * 1024 * 1024;

const pageName = /\.(?:[1-9][a-z]{0,3}|man)(?:\.in)?$/;

/** Collects facts from the manual pages of a distribution, one page at a time. */
export class ManualTexts {
  readonly titles = new NameList();
  readonly synopses = new NameList(1000);
  /** The description of the first page that has one. */
  purpose: string | undefined;
  readonly #texts = new NearestTop<readonly Block[]>(maxTexts, maxText);
  readonly #options: SummariseOptions;
  #read = 0;
  #bytes = 0;

  constructor({ text }: SummariseOptions) {
    this.#options = { text, maxTextBytes: maxPageText, maxDocumentBytes: maxPageBytes };
  }

  /** Read a file if it is a manual page in troff; returns whether it is one. */
  add(path: string, bytes: Uint8Array): boolean {
    if (!pageName.test(path) || bytes.length > maxPageBytes || !isManual(bytes)) return false;
    if (this.#read >= maxPages || this.#bytes + bytes.length > maxBytes) return true;
    this.#read++;
    this.#bytes += bytes.length;
    const name = path.slice(path.lastIndexOf('/') + 1);
    const page = { url: '', name, bytes, type: 'ManPage', mediaType: 'text/troff' };
    const { title, fields, text } = summariseManPage(page, this.#options);
    const values = new Map(fields);
    if (title !== undefined) this.titles.add(title);
    for (const line of (values.get('Synopsis') ?? '').split('\n')) this.synopses.add(line);
    this.purpose ??= values.get('Description') || undefined;
    const blocks = text?.blocks ?? [];
    const length = blocks.reduce((sum, block) => sum + block.text.length, 0);
    if (length > 0 && length <= maxText) this.#texts.add(path, length, blocks);
    return true;
  }

  /** The pages' text, nearer the top first. */
  get blocks(): readonly Block[] {
    return this.#texts.values.flat();
  }
}

function isManual(bytes: Uint8Array): boolean {
  const start = latin1Start(bytes, 4096);
  return /^\.(?:TH|Dd|SH|Sh)\s/m.test(start);
}
