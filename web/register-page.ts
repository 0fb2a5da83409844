import type { RouteRequest, RouteResponse } from '../http/index.ts';
import { plainPage } from './page.ts';
import { type Applying, fieldNames, registerView } from './register-view.ts';
import { frameOf, type Site } from './site.ts';

export interface RegisterPageOptions extends Site {
  /** The Registry's HTTP API; the page uses nothing else. */
  readonly api: (call: {
    readonly method: 'POST';
    readonly path: string;
    readonly json: unknown;
    readonly client?: string;
    readonly signal: AbortSignal;
  }) => Promise<{ readonly status: number; readonly json: unknown }>;
}

/** The handlers of the form for a server that does not register itself. Throw WEB_ASSETS_MISSING. */
export function registerPage({ api, ...site }: RegisterPageOptions) {
  const frame = frameOf({ title: 'Registry', ...site });

  const page = (state: Applying, status = 200): RouteResponse => ({
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      // Without a referrer a form would be sent with the origin "null", which is nobody's.
      'referrer-policy': 'same-origin',
    },
    body: plainPage({
      ...{ ...frame(), title: 'Add a server', current: 'register', skip: 'Skip to the form' },
      main: registerView(state),
    }),
  });

  return {
    shown: ({ query }: Pick<RouteRequest, 'query'>): RouteResponse =>
      page({ fields: {}, isHeld: query.held === '1' }),

    sent: async ({ body, client, signal }: RouteRequest): Promise<RouteResponse> => {
      const given = new URLSearchParams(Buffer.from(body).toString());
      const fields = Object.fromEntries(fieldNames.map((name) => [name, given.get(name) ?? '']));
      const { status, json } = await api({
        ...{ method: 'POST', path: '/applications', json: fields, signal },
        ...(client !== undefined && { client }),
      });
      if (status >= 300) return page({ fields, fault: faultIn(json) }, status);
      // A page that is loaded again must not send the form again.
      return { status: 303, headers: { location: 'register?held=1', 'cache-control': 'no-store' }, body: '' };
    },
  };
}

function faultIn(json: unknown): string {
  const { error } = (json ?? {}) as { readonly error?: { readonly message?: string } };
  return error?.message ?? 'The application could not be taken.';
}
