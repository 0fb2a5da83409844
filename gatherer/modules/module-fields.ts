import { z } from 'zod';
import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { keptLines } from '../../readers/text/index.ts';
import { isOwnName } from '../summarise/index.ts';
import { moduleErrors, thrownReason } from './errors.ts';
import type { FieldValues } from './summariser.d.ts';

/** Max attributes of a summary, and max characters of all of them. */
const maxFields = 1000;
const maxCharacters = 64 * 1024 * 1024;

const noValue = 'this is neither a text, a number, true nor false, nor a list of them';
const value = z.union([z.string(), z.number(), z.boolean()], noValue);
const values = z.union([value, z.array(value)], noValue).nullish();
const name = z
  .string('an attribute has no name')
  .regex(/^[A-Za-z][\w-]{0,127}$/, 'this is no attribute name')
  .refine((text) => !isOwnName(text), 'this attribute is Garner’s own');
const table = z.record(name, values, 'it is neither a table nor a list of attributes');
const pairs = z.array(z.tuple([name, values], 'this is no pair of a name and a value'));

/** A module's result as fields: each name once, one line per value, storable text. Throws MODULE_OUTPUT. */
export function moduleFields(module: string, returned: unknown): readonly Field[] {
  const bad = (reason: string) => failure(moduleErrors.MODULE_OUTPUT, { module, reason });
  let read: z.ZodSafeParseResult<z.infer<typeof table> | z.infer<typeof pairs>> | undefined;
  try {
    if (Object.keys(Object(returned)).length <= maxFields)
      read = Array.isArray(returned) ? pairs.safeParse(returned) : table.safeParse(returned);
  } catch (error) {
    // A proxy or a getter of the module's own.
    throw bad(thrownReason(error));
  }
  if (read === undefined) throw bad(`more than ${maxFields} attributes`);
  if (!read.success) throw bad(complaint(read.error));
  const found = new Map<string, { readonly name: string; readonly lines: string[] }>();
  let characters = 0;
  for (const [own, given] of Array.isArray(read.data) ? read.data : Object.entries(read.data)) {
    const key = own.toLowerCase();
    const field = found.get(key) ?? { name: own, lines: [] };
    found.set(key, field);
    for (const text of textsOf(given)) {
      characters += text.length;
      if (characters > maxCharacters) throw bad(`more than ${maxCharacters} characters`);
      field.lines.push(text);
    }
  }
  return [...found.values()]
    .map((field): Field => [field.name, storable(field.lines.join('\n'))])
    .filter(([, text]) => text !== '');
}

function textsOf(given: FieldValues): readonly string[] {
  if (given === null || given === undefined) return [];
  return (Array.isArray(given) ? given : [given]).map(String);
}

/** A lone surrogate, which UTF-8 cannot hold, becomes the replacement character. */
function storable(text: string): string {
  return keptLines(text.replace(/\p{Cs}/gu, '\ufffd'));
}

function complaint({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return 'it does not say why';
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  const place = issue.path.map(String).join('.').slice(0, 100);
  return place === '' ? message : `${place}: ${message}`;
}
