import { appendVia, clientConditions, type RawFields, withField, withoutFields } from '../rules/index.ts';

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

/** The same request with a directive in its Cache-Control, before those that are there: of two of a name the first counts. */
export function withDirective(fields: RawFields, directive: string): RawFields {
  const given = fields.flatMap((value, at) =>
    at % 2 === 1 && fields[at - 1]?.toLowerCase() === 'cache-control' ? [value] : [],
  );
  const nameOf = (one: string) => one.split('=')[0]?.trim().toLowerCase();
  const first = given
    .join(',')
    .split(',')
    .find((one) => nameOf(one) === nameOf(directive));
  if (first?.trim() === directive) return fields;
  return withField(fields, 'Cache-Control', [directive, ...given].join(', '));
}
