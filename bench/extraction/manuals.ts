import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseHTML } from 'linkedom';
import { words } from './measure.ts';
import type { LabelledPage } from './pages.ts';

/** A manual made by a known program, which marks its text and its navigation. */
interface Manual {
  readonly folder: string;
  /** Selector of the element that holds the text. */
  readonly text: string;
  /** Selector of the elements in it that are not text. */
  readonly without?: string;
}

// Debian's packages of these manuals; a manual that is not installed is left out.
const manuals: readonly Manual[] = [
  { folder: 'python3.11/html/library', text: 'div.body' },
  { folder: 'python3.11/html/howto', text: 'div.body' },
  { folder: 'python3.11/html/tutorial', text: 'div.body' },
  { folder: 'postgresql-doc-15/html', text: 'body', without: 'div.navheader, div.navfooter' },
  { folder: 'nodejs/api', text: '#apicontent' },
  { folder: 'git-doc', text: 'body', without: '#footer, #toc' },
  { folder: 'valgrind/html', text: 'body', without: 'table.nav' },
  { folder: 'libxslt1-dev/gtk-doc/html/libxslt', text: 'body', without: 'table.navigation' },
  { folder: 'cssc/cssc.html', text: 'body', without: 'div.header' },
  { folder: 'libffi8/html', text: 'body', without: 'div.header' },
  { folder: 'libimage-exiftool-perl/html/TagNames', text: 'body' },
  { folder: 'groff-base/html/mom', text: 'body' },
];

/** The same of manuals that the model is never trained on. */
export const otherManuals: readonly Manual[] = [
  { folder: 'anarchism/html', text: 'div.content', without: '.book-navigation' },
  {
    folder: 'apache2-doc/manual/en/howto',
    text: '#page-content',
    without: '.toplang, #quickview, .top, #comments_section',
  },
  { folder: 'borgbackup-doc/html/usage', text: 'div.document' },
  { folder: 'debian-handbook/html/en-US', text: 'body', without: '#banner, .docnav' },
  { folder: 'python-django-doc/html/topics', text: '#yui-main' },
  { folder: 'python-requests-doc/html/user', text: 'div.body' },
  { folder: 'python-sqlalchemy-doc/html/orm', text: '#docs-body' },
  { folder: 'python-werkzeug-doc/html', text: 'div.body' },
];

const perManual = 5;
const minBytes = 3000;
const maxBytes = 120_000;
const maxWords = 5000;

/** Pages of manuals below `folder` (Debian's /usr/share/doc) with their text, a few of each evenly chosen. */
export function readManualPages(folder: string, of = manuals): (LabelledPage & { readonly site: string })[] {
  return of.flatMap((manual) => {
    const names = pageNames(join(folder, manual.folder));
    const step = Math.max(1, Math.floor(names.length / (2 * perManual)));
    const site = manual.folder.split('/')[0] as string;
    const pages: (LabelledPage & { readonly site: string })[] = [];
    for (let at = 0; at < names.length && pages.length < perManual; at += step) {
      const path = join(folder, manual.folder, names[at] as string);
      const html = readFileSync(path, 'utf8');
      const truth = textOf(html, manual);
      if (words(truth).length <= maxWords && words(truth).length >= 50)
        pages.push({ key: path, url: `file://${path}`, html, truth, site });
    }
    return pages;
  });
}

function pageNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.html'))
      .filter((name) => {
        const { size } = statSync(join(folder, name));
        return size >= minBytes && size <= maxBytes;
      })
      .sort();
  } catch {
    return [];
  }
}

function textOf(html: string, { text, without }: Manual): string {
  const { document } = parseHTML(html);
  const holder = document.querySelector(text);
  if (holder === null) return '';
  for (const gone of holder.querySelectorAll(without === undefined ? 'script' : `script, ${without}`))
    gone.remove();
  return (holder.textContent ?? '').trim();
}
