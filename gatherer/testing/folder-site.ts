import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { attributeText } from '../../soif/index.ts';
import { type DataFolder, openDataFolder } from '../../store/index.ts';
import type { Enumerator } from '../enumerate/enumerator.ts';
import { FolderEnumerator, type FolderOptions } from '../enumerate/folder/folder-enumerator.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan, type PipelinePlan } from '../pipeline/pipeline-plan.ts';
import type { DocumentProcessor } from '../pipeline/product.ts';
import { Gatherer } from '../run/gatherer.ts';
import type { LoadBudget } from '../run/load-budget.ts';

export const baseUrl = 'http://www.example.org/';
export const day = 24 * 3600;

/** A folder of pages, a data folder, and a Gatherer over both. */
export class Site implements AsyncDisposable {
  readonly clock = new ManualClock(1_700_000_000_000);
  path = '';
  root = '';
  data!: DataFolder;
  enumerator!: FolderEnumerator;
  gatherer!: Gatherer;

  /** The Gatherer's name and its standard Time-to-Live; they apply when the site is opened. */
  name = 'site';
  ttlDays = 30;
  /** More options of the enumerator; they apply when the site is opened. */
  options: Partial<FolderOptions> = {};
  /** The load budget; it applies when the site is opened. */
  budget: LoadBudget | undefined;
  /** How documents are summarised; it applies when the site is opened. */
  plan = defaultPlan;
  /** Makes the processor; it applies when the site is opened. */
  processor: (plan: PipelinePlan) => DocumentProcessor = (plan) => new InlineProcessor(plan);
  /** The enumerators, if not of the folder; they apply when the site is opened. */
  enumerators: () => readonly Enumerator[] = () => [this.enumerator];
  /** The URL under which a document is published. */
  published: (url: string) => string = (url) => url;

  static async make(options: Partial<FolderOptions> = {}): Promise<Site> {
    const site = new Site();
    site.options = options;
    site.path = await mkdtemp(join(tmpdir(), 'garner-gatherer-'));
    site.root = join(site.path, 'site');
    await mkdir(join(site.root, 'sub'), { recursive: true });
    await site.open();
    return site;
  }

  async open(): Promise<void> {
    this.data = await openDataFolder(join(this.path, 'data'), {
      role: 'gatherer',
      create: true,
      clock: this.clock,
      random: systemRandom,
    });
    this.enumerator = new FolderEnumerator({
      root: this.root,
      baseUrl,
      hidden: false,
      maxBytesPerDocument: 1e6,
      ...this.options,
    });
    this.gatherer = await Gatherer.open({
      folder: this.data,
      enumerators: () => this.enumerators(),
      clock: this.clock,
      name: this.name,
      host: 'www.example.org',
      version: '1',
      plan: this.plan,
      processor: this.processor(this.plan),
      published: this.published,
      ttlSeconds: this.ttlDays * day,
      refreshSeconds: 7 * day,
      ...(this.budget && { budget: this.budget }),
    });
  }

  async reopen(options = this.options): Promise<void> {
    this.options = options;
    await this.data[Symbol.asyncDispose]();
    await this.open();
  }

  page(name: string, title: string): Promise<void> {
    return writeFile(join(this.root, name), `<title>${title}</title><p>text of ${title}</p>`);
  }

  titles(): Promise<string[]> {
    return this.values('Title');
  }

  /** The values of an attribute of all objects, sorted; `''` where it is absent. */
  async values(attribute: string): Promise<string[]> {
    const found: string[] = [];
    await using snapshot = await this.data.store.snapshot();
    for await (const { oid } of snapshot.scan()) {
      const summary = await this.gatherer.summary(oid);
      if (summary !== undefined) found.push(attributeText(summary, attribute) ?? '');
    }
    return found.sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.data[Symbol.asyncDispose]();
    await rm(this.path, { recursive: true, force: true });
  }
}
