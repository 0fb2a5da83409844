import { appendVia, clientConditions, type RawFields, withField, withoutFields } from '../rules/index.ts';

/** A request's fields with this cache in Via, otherwise unchanged. */
export function passedFields(fields: RawFields, version: string, name: string): RawFields {
  return appendVia(fields, version, name);
}

/** The fields of a request for the whole, or a 304 to `validators`, without the client's conditions. */
export function wholeFields(
  fields: RawFields,
  version: string,
  name: string,
  validators: RawFields = [],
): RawFields {
  return [...passedFields(withoutFields(fields, clientConditions), version, name), ...validators];
}

/** The same fields with a directive first in Cache-Control: the first of two directives of a name applies. */
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
