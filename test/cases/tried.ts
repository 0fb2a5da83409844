import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TryReport } from '../../gatherer/index.ts';
import { jsonHere } from '../commands/command-here.ts';
import { root } from '../manual-pages.ts';

/** The documents of the cases, a folder each, whose name begins with the number of the case. */
export const casesFolder = join(root, 'test', 'cases', 'gatherer');

/** The folder of a case. */
export function caseFolder(number: number): string {
  const start = `${String(number).padStart(2, '0')}-`;
  const name = readdirSync(casesFolder).find((folder) => folder.startsWith(start));
  if (name === undefined) throw new Error(`there is no case ${number}`);
  return join(casesFolder, name);
}

/** What `garner gatherer try` reports of a document of a case; `more` are further arguments. */
export const tried = (number: number, file: string, ...more: readonly string[]): Promise<TryReport> =>
  jsonHere<TryReport>(['gatherer', 'try', join(caseFolder(number), file), ...more]);

/** The attributes of the document itself. */
export async function attributesOf(
  number: number,
  file: string,
  ...more: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const { objects } = await tried(number, file, ...more);
  return objects[0]?.attributes ?? {};
}

/** Some attributes of a document of a case are these; an absent one is undefined. */
export async function holds(
  number: number,
  file: string,
  expected: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const found = await attributesOf(number, file);
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected);
}
