import type { ParameterDescription, Route } from '../../http/index.ts';

/** A query parameter that is a text. */
export function textParameter(name: string, describe: string): ParameterDescription {
  return { name, in: 'query', describe, schema: { type: 'string' } };
}

/** A query parameter that is a whole number from 1. */
export function countParameter(name: string, describe: string, maximum: number): ParameterDescription {
  return { name, in: 'query', describe, schema: { type: 'integer', minimum: 1, maximum } };
}

export function pathParameter(name: string, describe: string): ParameterDescription {
  return { name, in: 'path', describe, required: true, schema: { type: 'string' } };
}

/** The schema of a body with these fields. */
export function bodySchema(
  properties: Readonly<Record<string, unknown>>,
  ...required: readonly string[]
): NonNullable<Route['request']> {
  return {
    type: 'object',
    additionalProperties: false,
    properties,
    ...(required.length > 0 && { required }),
  };
}

/** Answers about a moment are not cached. */
export const unkept = { 'cache-control': 'no-store' };

export const text = { type: 'string' };
export const flag = { type: 'boolean' };
export const count = { type: 'integer', minimum: 0 };
export const texts = { type: 'array', items: text };
