/** A JSON Schema, as OpenAPI 3.1 has it (draft 2020-12). */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An object whose properties are all present, save those named `optional`. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  ...optional: readonly string[]
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', ...(required.length > 0 && { required }), properties };
}

/** The words of which the descriptions of answers are made. */
export const schemas = {
  text: { type: 'string' },
  flag: { type: 'boolean' },
  number: { type: 'number' },
  count: { type: 'integer', minimum: 0 },
  time: { type: 'number', minimum: 0, description: 'seconds since 1970' },
  any: {},
  object,
  list: (items: JsonSchema): JsonSchema => ({ type: 'array', items }),
  /** An object of any property names, whose values are alike. */
  map: (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values }),
  choice: (...values: readonly (string | number)[]): JsonSchema => ({ enum: values }),
  orNull: (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] }),
} as const;
