import { httpErrors } from './errors.ts';
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
    servers: [{ url: './', description: 'this server' }],
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
    responses: responsesOf(route),
  };
}

const errorContent: Json = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  'text/html': { schema: { type: 'string' } },
};

const generalErrors = [
  httpErrors.HTTP_BAD_REQUEST,
  httpErrors.HTTP_BAD_PATH,
  httpErrors.HTTP_BAD_PARAMETER,
  httpErrors.HTTP_TOKEN_NEEDED,
  httpErrors.HTTP_FORBIDDEN,
  httpErrors.HTTP_CROSS_ORIGIN,
  httpErrors.HTTP_WRONG_HOST,
  httpErrors.HTTP_INTERNAL,
  httpErrors.HTTP_BUSY,
  httpErrors.HTTP_CLIENT_BUSY,
  httpErrors.HTTP_GUESSING,
  httpErrors.HTTP_CLOSING,
];

/** The answers of a route: its media types, and the errors of every server by status, with their codes. */
function responsesOf(route: Route): Json {
  const content = {
    ...(route.response !== undefined && { 'application/json': { schema: route.response } }),
    ...Object.fromEntries(Object.entries(route.media ?? {}).map(([type, schema]) => [type, { schema }])),
    ...(route.isStanding === true && { 'text/event-stream': { schema: { type: 'string' } } }),
  };
  const codes = new Map<number, string[]>();
  for (const { status = 500, code } of generalErrors) codes.set(status, [...(codes.get(status) ?? []), code]);
  const errors = Array.from(codes, ([status, names]) => [
    status,
    { description: `among others ${names.join(', ')}`, content: errorContent },
  ]);
  return {
    [route.status ?? 200]: { description: 'the answer', ...(Object.keys(content).length > 0 && { content }) },
    ...(route.method === 'GET' && {
      304: { description: 'the answer that If-None-Match names is still right' },
    }),
    ...Object.fromEntries(errors),
    default: { description: 'what went wrong, and what to do next', content: errorContent },
  };
}

function describeParameter(parameter: ParameterDescription): Json {
  return {
    name: parameter.name,
    in: parameter.in,
    description: parameter.describe,
    required: parameter.in === 'path' || parameter.required === true,
    schema: parameter.several === true ? { type: 'array', items: parameter.schema } : parameter.schema,
  };
}
