import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { failure } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { fileRestored } from '../events.ts';
import { replaceFile } from './replace-file.ts';

// Small files that nothing can make again. Each is written twice, as an object of JSON with a checksum.

const copyOf = (path: string) => `${path}.copy`;

type Fields = Readonly<Record<string, unknown>>;

const checkOf = (fields: Fields) =>
  createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16);

/** One of the two files. `unproved` is one without a checksum, of an earlier version or of the operator. */
interface Copy {
  readonly text: string;
  readonly state: 'proved' | 'unproved' | 'damaged';
  readonly check: string;
}

function judged(text: string): Copy {
  try {
    const { check, ...fields } = JSON.parse(text) as Fields;
    if (check === undefined) return { text, state: 'unproved', check: '' };
    return { text, state: check === checkOf(fields) ? 'proved' : 'damaged', check: String(check) };
  } catch {
    return { text, state: 'damaged', check: '' };
  }
}

async function look(path: string): Promise<Copy | undefined> {
  try {
    return judged(await readFile(path, 'utf8'));
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

async function bothOf(path: string) {
  const [first, second] = [await look(path), await look(copyOf(path))];
  const isSecondSound = second?.state === 'proved';
  // A flipped bit may hide the checksum, but not its value too.
  const hidesCheck = first?.state === 'unproved' && isSecondSound && first.text.includes(second.check);
  const isFirstSound = first !== undefined && first.state !== 'damaged' && !hidesCheck;
  return { first, second, isFirstSound, isSecondSound };
}

/** Write a file and its second copy; `text` is an object of JSON. After a crash each is the old one or the new one. */
export async function writeKept(path: string, text: string): Promise<void> {
  const { check: _, ...fields } = JSON.parse(text) as Fields;
  const proved = `${JSON.stringify({ ...fields, check: checkOf(fields) }, undefined, 2)}\n`;
  await replaceFile(path, proved);
  await replaceFile(copyOf(path), proved);
}

/**
 * The text of such a file, or of its second copy where it is damaged or missing; undefined when there is neither. With
 * `heals`, a damaged or missing one is written again from the other. Throws STORE_COPIES when neither can be used.
 */
export async function readKept(path: string, { heals = false } = {}): Promise<string | undefined> {
  const { first, second, isFirstSound, isSecondSound } = await bothOf(path);
  if (first === undefined && second === undefined) return undefined;
  const text = isFirstSound ? first?.text : isSecondSound ? second?.text : undefined;
  if (text === undefined) throw failure(storeErrors.STORE_COPIES, { path });
  if (heals && (!isFirstSound || second?.text !== text)) {
    // The text is there, and a full disk must not keep the server from its start.
    await writeKept(path, text).catch(() => undefined);
    if (!isFirstSound) fileRestored.publish({ path, isMissing: first === undefined });
    else if (second !== undefined && !isSecondSound)
      fileRestored.publish({ path: copyOf(path), isMissing: false });
  }
  return text;
}

/** Those of a file and its second copy that are damaged. */
export async function damagedCopies(path: string): Promise<readonly string[]> {
  const { first, second, isFirstSound, isSecondSound } = await bothOf(path);
  return [
    ...((first === undefined && second === undefined) || isFirstSound ? [] : [path]),
    ...(second === undefined || isSecondSound ? [] : [copyOf(path)]),
  ];
}
