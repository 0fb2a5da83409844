import { appendVia, clientConditions, type RawFields, withField, withoutFields } from './rules/index.ts';

/** A request's fields as they are sent on unchanged, with this cache in Via. */
export function passedFields(fields: RawFields, version: string, name: string): RawFields {
  return appendVia(fields, version, name);
}

/** A request for the whole content, or for a 304 against `validators`: the client's own conditions are left to the cache. */
export function wholeFields(
  fields: RawFields,
  version: string,
  name: string,
  validators: RawFields = [],
): RawFields {
  return [...passedFields(withoutFields(fields, clientConditions), version, name), ...validators];
}

/** The same request with a directive in its Cache-Control, besides those that are there. */
export function withDirective(fields: RawFields, directive: string): RawFields {
  const given = fields.flatMap((value, at) =>
    at % 2 === 1 && fields[at - 1]?.toLowerCase() === 'cache-control' ? [value] : [],
  );
  const others = given
    .join(',')
    .split(',')
    .map((one) => one.trim());
  if (others.includes(directive)) return fields;
  return withField(fields, 'Cache-Control', [...given, directive].join(', '));
}
