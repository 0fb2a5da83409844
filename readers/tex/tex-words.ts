import { latexAccents, latexCharacters } from './latex-characters.ts';

const accents = /\\(?:([`'^"~=.])\s*|([uvHcdbkr])(?:\s+|(?=\{)))(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))/g;
const commands = /\\([A-Za-z]+)\*?\s*|\\([^A-Za-z])/g;

/**
 * A TeX value as plain words: accents combined, commands and braces removed, dashes and quotes as printed.
 */
export function texWords(value: string): string {
  if (!/[\\{}~$]|--|``|''/.test(value)) return value;
  return value
    .replace(accents, (whole, sign?: string, letter?: string, braced?: string, bare?: string) => {
      const mark = latexAccents.get(sign ?? letter ?? '');
      return mark === undefined ? whole : ((braced ?? bare ?? '') + mark).normalize();
    })
    .replace(commands, (_, word?: string, sign?: string) => latexCharacters.get(word ?? sign ?? '') ?? '')
    .replace(/[{}$]/g, '')
    .replaceAll('~', ' ')
    .replaceAll('---', '—')
    .replaceAll('--', '–')
    .replaceAll('``', '“')
    .replaceAll("''", '”');
}
