import type { Field } from '../document/index.ts';

/** One attribute, or several numbered from 1 when there are more values. */
export function numbered(attribute: string, values: readonly string[]): Field[] {
  const [only] = values;
  if (values.length === 1 && only !== undefined) return [[attribute, only]];
  return values.map((value, at) => [`${attribute}-${at + 1}`, value]);
}

/** A language tag (BCP 47) as given, or undefined when malformed; of a list the first is used. */
export function languageTag(text: string | undefined): string | undefined {
  const [first = ''] = (text ?? '').split(',', 1);
  const tag = first.trim();
  return tag.length <= 35 && /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : undefined;
}
