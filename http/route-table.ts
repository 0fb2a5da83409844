import { failure, nearest } from '../kernel/index.ts';
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

// What mail and advertisements add to every link.
const tracking = /^(?:utm_\w+|fbclid|gclid|dclid|msclkid|mc_[ce]id|igshid|ref)$/i;

/** Whether a parameter comes from a mail or an advertisement with the link, and asks nothing of the server. */
export const isTracking = (name: string): boolean => tracking.test(name);

/** Refuse parameters that a route of the API does not have, and more than one value where one counts. */
function checkNames(route: Route, queries: Readonly<Record<string, readonly string[]>>): void {
  const known = (route.parameters ?? []).filter((one) => one.in === 'query');
  for (const [name, values] of Object.entries(queries)) {
    const own = known.find((one) => one.name === name);
    const bad = (problem: string) =>
      failure(httpErrors.HTTP_BAD_PARAMETER, { name: name.slice(0, 40), problem });
    if (own === undefined) {
      if (isTracking(name)) continue;
      const names = known.map((one) => one.name);
      const near = nearest(name, names);
      const there = names.length === 0 ? 'it has none' : `there are ${names.join(', ')}`;
      throw bad(
        `is unknown to ${route.path}: ${there}${near === undefined ? '' : `; did you mean ${near}?`}`,
      );
    }
    if (own.several !== true && values.length > 1)
      throw bad(`is given ${values.length} times, and may be given once`);
  }
}

/**
 * Check the parameters of a request: those of a route that the API describes must be known and given once, required
 * ones present, integers within their bounds. Throws HTTP_BAD_PARAMETER.
 */
export function checkParameters(
  route: Route,
  request: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string>>;
    readonly queries: Readonly<Record<string, readonly string[]>>;
    readonly headers: Readonly<Record<string, string | undefined>>;
  },
): void {
  // Pages have links from anywhere, and orders have programs of their own.
  if (route.hidden !== true) checkNames(route, request.queries);
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
