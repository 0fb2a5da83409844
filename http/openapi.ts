import type { ParameterDescription, Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'hint'],
      properties: {
        code: { type: 'string', description: 'stable; match on this' },
        message: { type: 'string', description: 'what happened' },
        hint: { type: 'string', description: 'what to do next' },
      },
    },
  },
};

/** Describe route tables as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0). Hidden routes are left out. */
export function openApi(routes: readonly Route[], about: { title: string; version: string }): Json {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.hidden) continue;
    const path = templateOf(route.path);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: { title: about.title, version: about.version },
    paths,
    components: {
      schemas: { Error: errorSchema },
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

/** `/objects/:oid` in OpenAPI's form; the rest of a path is the parameter `rest`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');
}

function operation(route: Route): Json {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  if (route.path.endsWith('*')) names.push('rest');
  const declared = (route.parameters ?? []).map((parameter) =>
    parameter.in === 'path' && parameter.name === '*' ? { ...parameter, name: 'rest' } : parameter,
  );
  const undeclared = names.filter((name) => !declared.some((one) => one.in === 'path' && one.name === name));
  const parameters = [
    ...undeclared.map(
      (name): ParameterDescription => ({
        name,
        in: 'path',
        describe: name === 'rest' ? 'the rest of the path' : name,
        schema: { type: 'string' },
      }),
    ),
    ...declared,
  ];
  return {
    operationId: `${route.method.toLowerCase()}${templateOf(route.path).replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`,
    summary: route.summary,
    ...(parameters.length > 0 && { parameters: parameters.map(describeParameter) }),
    ...(route.request !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: route.request } } },
    }),
    // An empty security list says that no token is needed.
    security: route.scope === 'public' ? [] : [{ token: [] }],
    ...(route.scope !== 'public' && { 'x-scope': route.scope }),
    responses: {
      200: {
        description: 'the answer',
        ...(route.response !== undefined && {
          content: { 'application/json': { schema: route.response } },
        }),
        ...(route.isStanding === true && { content: { 'text/event-stream': {} } }),
      },
      default: {
        description: 'what went wrong, and what to do next',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function describeParameter(parameter: ParameterDescription): Json {
  return {
    name: parameter.name,
    in: parameter.in,
    description: parameter.describe,
    required: parameter.in === 'path' || parameter.required === true,
    schema: parameter.schema,
  };
}
