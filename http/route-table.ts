import { failure } from '../kernel/index.ts';
import { httpErrors } from './errors.ts';
import type { Route } from './route.ts';

/** The routes of several actors as one table. */
export class RouteTable {
  readonly routes: readonly Route[];
  readonly #shapes: readonly {
    readonly method: string;
    readonly shape: RegExp;
    readonly isShared: boolean;
  }[];

  /** Throws TypeError when two routes match the same requests, or a path is malformed. */
  constructor(routes: readonly Route[]) {
    const seen = new Map<string, Route>();
    for (const route of routes) {
      checkPath(route);
      // Routes that differ only in a parameter's name match the same requests.
      const key = `${route.method} ${route.path.replace(/:\w+/g, ':')}`;
      const other = seen.get(key);
      if (other !== undefined)
        throw new TypeError(
          `two routes take ${route.method} ${route.path}: "${other.summary}" (${other.path}) and "${route.summary}"`,
        );
      seen.set(key, route);
    }
    this.routes = routes;
    this.#shapes = routes.map((route) => ({
      method: route.method,
      shape: shapeOf(route.path),
      isShared: isShared(route),
    }));
  }

  /** The methods of the routes at this concrete path, HEAD with GET; empty when there is none. */
  methodsAt(path: string): string[] {
    return withHead(this.#shapes.filter(({ shape }) => shape.test(path)));
  }

  /** Those of them that pages of other origins may use where the operator lists these. */
  sharedAt(path: string): string[] {
    return withHead(this.#shapes.filter(({ shape, isShared }) => isShared && shape.test(path)));
  }
}

function withHead(shapes: readonly { readonly method: string }[]): string[] {
  const methods = shapes.map(({ method }) => method);
  if (methods.includes('GET')) methods.push('HEAD');
  return [...new Set(methods)].sort();
}

function isShared({ method, scope, hidden, isShared }: Route): boolean {
  if (scope !== 'public' && scope !== 'read') return false;
  return isShared ?? (method === 'GET' && hidden !== true);
}

function checkPath(route: Route): void {
  const good = /^\/(?:(?::[A-Za-z]\w*|[\w.~-]+)(?:\/(?::[A-Za-z]\w*|[\w.~-]+))*)?(?:\/?\*)?$/;
  if (!good.test(route.path)) throw new TypeError(`malformed route path ${route.path} ("${route.summary}")`);
}

function shapeOf(path: string): RegExp {
  const source = path.replace(/[.~-]/g, '\\$&').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*');
  return new RegExp(`^${source}$`);
}

/** Check the required parameters of a request and the bounds of its integers. Throws HTTP_BAD_PARAMETER. */
export function checkParameters(
  route: Route,
  request: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string | undefined>>;
  },
): void {
  for (const parameter of route.parameters ?? []) {
    const { name, schema } = parameter;
    const bad = (problem: string) => failure(httpErrors.HTTP_BAD_PARAMETER, { name, problem });
    const value =
      parameter.in === 'query'
        ? request.query[name]
        : parameter.in === 'path'
          ? request.params[name]
          : request.headers[name.toLowerCase()];
    if (value === undefined) {
      if (parameter.required) throw bad('is missing');
      continue;
    }
    // A form sends its empty fields too.
    if (schema.type === 'string' || value === '' || parameter.isChecked === true) continue;
    if (!/^-?\d+$/.test(value)) throw bad('must be a whole number');
    const number = Number(value);
    if (schema.minimum !== undefined && number < schema.minimum)
      throw bad(`must be at least ${schema.minimum}`);
    if (schema.maximum !== undefined && number > schema.maximum)
      throw bad(`must be at most ${schema.maximum}`);
  }
}
