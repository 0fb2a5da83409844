// The man pages, written from the tables that the program itself uses.
import { pageText } from './mdoc.ts';
import { settingsPage } from './settings-page.ts';
import { programs, verbPages } from './verb-pages.ts';

/** Every man page by its path below a man folder (`man1/garner.1`); the text is mdoc. */
export async function manPages(date: Date): Promise<ReadonlyMap<string, string>> {
  const pages = [...(await verbPages()), settingsPage()];
  const texts = pages.map((page): [string, string] => [
    `man${page.section}/${page.name}.${page.section}`,
    pageText(page, date),
  ]);
  const links = programs.map((name): [string, string] => [`man1/${name}.1`, `.so man1/garner-${name}.1\n`]);
  return new Map([...texts, ...links]);
}
