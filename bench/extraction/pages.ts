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

const alike = 0.25;
const minName = 4;

/** The names in `class` and `id` of a page, without numbers. */
function stylingNames(html: string): Set<string> {
  const found = html.matchAll(/\b(?:class|id)\s*=\s*["']?([^"'>]+)/g);
  const names = [...found].flatMap(([, value = '']) => value.replace(/\d+/g, '').split(/\s+/));
  return new Set(names.filter((name) => name.length >= minName));
}

/** The registrable part of a URL's host, roughly: its last two labels. */
export function hostOf(url: string): string {
  return new URL(url).hostname.split('.').slice(-2).join('.');
}

/**
 * The publisher of each page, named by one of its hosts: hosts are of one publisher when two of their pages share a
 * quarter of the names in `class` and `id`, since then they have one template.
 */
export function publishersOf(pages: readonly LabelledPage[]): string[] {
  const names = pages.map(({ html }) => stylingNames(html));
  const publishers = pages.map(({ url }) => hostOf(url));
  names.forEach((some, at) => {
    names.slice(0, at).forEach((others, before) => {
      const both = [...some].filter((name) => others.has(name)).length;
      if (both <= alike * (some.size + others.size - both)) return;
      const [from, to] = [publishers[at], publishers[before] as string];
      publishers.forEach((publisher, of) => {
        if (publisher === from) publishers[of] = to;
      });
    });
  });
  return publishers;
}
