import type { ParameterDescription, Route, RouteRequest } from '../../http/index.ts';

export function textParameter(name: string, describe: string): ParameterDescription {
  return { name, in: 'query', describe, schema: { type: 'string' } };
}

export function countParameter(
  name: string,
  describe: string,
  maximum: number,
  minimum = 1,
): ParameterDescription {
  return { name, in: 'query', describe, schema: { type: 'integer', minimum, maximum } };
}

/** The `limit` of a request; 100 when absent. */
export const limitOf = ({ query }: Pick<RouteRequest, 'query'>): number => Number(query.limit || 100);

export function choiceParameter(
  name: string,
  describe: string,
  choices: readonly string[],
): ParameterDescription {
  return { name, in: 'query', describe, schema: { type: 'string', enum: choices } };
}

/** A choice between yes and no. */
export const flagParameter = (name: string, describe: string): ParameterDescription =>
  choiceParameter(name, describe, ['1', '0', 'yes', 'no', 'true', 'false']);

export function pathParameter(name: string, describe: string): ParameterDescription {
  return { name, in: 'path', describe, required: true, schema: { type: 'string' } };
}

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
