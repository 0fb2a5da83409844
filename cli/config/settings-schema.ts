import { z } from 'zod';
import { parseDuration, parseSize, type Setting } from '../../kernel/index.ts';

/** A setting's value: seconds for a duration, bytes for a size. */
export type SettingValue =
  | string
  | number
  | boolean
  | readonly string[]
  | readonly Readonly<Record<string, unknown>>[];

/** How to write one setting in a flag, a variable or a file: the cure for a value that cannot be read. */
export function cureFor(setting: Setting): string {
  switch (setting.kind) {
    case 'duration':
      return 'write a time with its unit, such as 10s, 5m, 2h, 7d or 4w';
    case 'size':
      return 'write a size, such as 512, 64KiB or 10MB';
    case 'flag':
      return 'write true or false';
    case 'choice':
      return `${setting.choices.length === 1 ? 'write' : 'choose one of'} ${setting.choices.join(', ')}`;
    case 'count':
      return setting.max === undefined
        ? `write a whole number from ${setting.min ?? 0} up`
        : `write a whole number from ${setting.min ?? 0} to ${setting.max}`;
    case 'list':
      return `write one text or a list of texts, such as ${setting.example}`;
    case 'text':
      return 'write one text';
    case 'records':
      return `write a list, such as ${setting.example}`;
  }
}

/** The schema that reads one setting from the text a person wrote. */
export function settingSchema(setting: Setting): z.ZodType<SettingValue, string | readonly string[]> {
  switch (setting.kind) {
    case 'text':
      return z.string();
    case 'choice':
      return z.enum(setting.choices);
    case 'flag':
      return z.stringbool({ truthy: ['true', 'yes', 'on', '1'], falsy: ['false', 'no', 'off', '0'] });
    case 'count':
      return z
        .string()
        .regex(/^\d{1,15}$/)
        .transform(Number)
        .pipe(count(setting));
    case 'duration':
      return measured(parseDuration);
    case 'size':
      return measured(parseSize);
    case 'list':
      return z.array(z.string());
    case 'records':
      return z.string().transform((text, context) => {
        const parsed = records.safeParse(listOf(text, setting.bare));
        if (parsed.success) return parsed.data;
        context.issues.push({ code: 'custom', input: text, message: 'not a list of tables' });
        return z.NEVER;
      });
  }
}

const records = z.array(z.record(z.string(), z.unknown()));

/** The list in a JSON text. Where an entry may be a bare text, a flag or a variable may be that text alone. */
function listOf(text: string, bare: string | undefined): unknown {
  const value = parseJson(text);
  if (bare === undefined) return value;
  const given = value === undefined && !/^\s*[[{"]/.test(text) ? text.trim() : value;
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.map((entry) => (typeof entry === 'string' ? { [bare]: entry } : entry));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function count(setting: Setting & { kind: 'count' }) {
  return z
    .number()
    .int()
    .min(setting.min ?? 0)
    .max(setting.max ?? Number.MAX_SAFE_INTEGER);
}

function measured(parse: (text: string) => number | undefined) {
  return z.string().transform((text, context) => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.issues.push({ code: 'custom', input: text, message: 'not a quantity' });
    return z.NEVER;
  });
}

/** The JSON Schema of `garner.yaml`, for editors: groups nested as in the file, unknown keys refused. */
export function configJsonSchema(settings: readonly Setting[]): unknown {
  return z.toJSONSchema(groupSchema(settings, ''), { io: 'input' });
}

function groupSchema(settings: readonly Setting[], prefix: string): z.ZodType {
  const shape: Record<string, z.ZodType> = {};
  for (const setting of settings) {
    const [name = '', ...rest] = setting.key.slice(prefix.length).split('.');
    if (shape[name] !== undefined) continue;
    const inside = `${prefix}${name}.`;
    const member =
      rest.length === 0
        ? inFile(setting).describe(setting.describe)
        : groupSchema(
            settings.filter(({ key }) => key.startsWith(inside)),
            inside,
          );
    shape[name] = member.optional();
  }
  return z.strictObject(shape);
}

function inFile(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return z.string();
    case 'choice':
      return z.enum(setting.choices);
    case 'flag':
      return z.boolean();
    case 'count':
      return count(setting);
    case 'duration':
      return z.union([z.literal(0), z.string().regex(/^\d+(\.\d+)? ?(ms|s|m|h|d|w)$/i)]);
    case 'size':
      return z.union([z.int().min(0), z.string().regex(/^\d+(\.\d+)? ?(B|[KMGT]i?B)$/i)]);
    case 'list':
      return z.union([z.string(), z.array(z.string())]);
    case 'records':
      return setting.bare === undefined
        ? records
        : z.union([z.string(), z.array(z.union([z.string(), z.record(z.string(), z.unknown())]))]);
  }
}
