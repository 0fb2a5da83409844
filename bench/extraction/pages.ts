import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A page of the set with its text as a person marked it. */
export interface LabelledPage {
  readonly key: string;
  readonly url: string;
  readonly html: string;
  readonly truth: string;
}

interface Entry {
  readonly url: string;
  readonly articleBody: string;
}

/** The pages of a folder that holds ground-truth.json and html/KEY.html.gz, in the order of their keys. */
export function readLabelledPages(folder: string): LabelledPage[] {
  const truth = JSON.parse(readFileSync(join(folder, 'ground-truth.json'), 'utf8')) as Record<string, Entry>;
  return Object.keys(truth)
    .sort()
    .map((key) => {
      const { url, articleBody } = truth[key] as Entry;
      const html = gunzipSync(readFileSync(join(folder, 'html', `${key}.html.gz`))).toString('utf8');
      return { key, url, html, truth: articleBody };
    });
}
