import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { nameParts, parseSoif } from '../../soif/index.ts';
import { isOwnName } from '../summarise/index.ts';
import { customiseErrors } from './errors.ts';

const decoder = new TextDecoder();
const attributeName = /^[A-Za-z][\w<>.-]{0,127}$/;

/**
 * The output of a summarising program as fields: SOIF attributes (with or without `@FILE { url` around them), or one
 * JSON object of names with texts, numbers or lists of them. Each name occurs once, with one line per value. Garner's
 * own attributes, such as MD5, are ignored. Throws RULE_OUTPUT.
 */
export async function parseProgramOutput(program: string, bytes: Uint8Array): Promise<readonly Field[]> {
  const start = decoder.decode(bytes.subarray(0, 64)).trimStart();
  if (start === '') return [];
  return together(
    start.startsWith('{')
      ? jsonFields(program, bytes)
      : await soifFields(program, bytes, start.startsWith('@')),
  );
}

function together(fields: readonly Field[]): readonly Field[] {
  const byName = new Map<string, Field>();
  for (const [name, value] of fields) {
    if (isOwnName(name)) continue;
    const key = name.toLowerCase();
    const before = byName.get(key);
    byName.set(key, before === undefined ? [name, value] : [before[0], `${before[1]}\n${value}`]);
  }
  return [...byName.values()];
}

function bad(program: string, reason: string, cause?: unknown): Error {
  return failure(customiseErrors.RULE_OUTPUT, { program, reason }, cause);
}

function jsonFields(program: string, bytes: Uint8Array): readonly Field[] {
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    throw bad(program, (error as Error).message, error);
  }
  return Object.entries(value as object).flatMap(([name, entry]): Field[] => {
    if (!attributeName.test(name))
      throw bad(program, `${JSON.stringify(name.slice(0, 64))} is no attribute name`);
    const values = Array.isArray(entry) ? (entry as unknown[]) : [entry];
    const texts = values.filter((text) => ['string', 'number', 'boolean'].includes(typeof text)).map(String);
    return texts.length === 0 ? [] : [[name, texts.join('\n')]];
  });
}

async function soifFields(program: string, bytes: Uint8Array, wrapped: boolean): Promise<readonly Field[]> {
  const parts = wrapped ? [bytes] : [Buffer.from('@FILE { -\n'), bytes, Buffer.from('\n}\n')];
  const found: Field[] = [];
  try {
    for await (const item of parseSoif(parts)) {
      for (const { name, value } of item.object.attributes)
        if (nameParts(name).embed.length === 0) found.push([name, decoder.decode(value)]);
      return found;
    }
  } catch (error) {
    throw bad(program, (error as Error).message, error);
  }
  throw bad(program, 'it is neither SOIF nor JSON');
}
