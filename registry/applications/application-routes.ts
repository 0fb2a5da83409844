import { type ParameterDescription, type Route, type RouteRequest, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { registryErrors } from '../errors.ts';
import type { ApplicationDesk, Enlisted } from './application-desk.ts';

const text = { type: 'string', maxLength: 500 } as const;

const request = {
  type: 'object',
  required: ['type', 'url', 'name'],
  properties: {
    type: { ...text, description: 'gatherer, broker, cache and so on' },
    url: { type: 'string', maxLength: 2000 },
    ...{ name: text, description: text, administrator: text, location: text },
    topics: { ...text, description: 'words with commas between them' },
  },
} as const;

const { list, object, time } = schemas;
const applicant = {
  ...{ type: text, url: text, name: text, description: text, administrator: text, location: text },
  topics: text,
};
const enlisted = object({ id: text, url: text, name: text });

const idParameter: ParameterDescription = {
  ...{ name: 'id', in: 'path', describe: 'Id of the application', required: true },
  schema: { type: 'string' },
};

const unkept = { 'cache-control': 'no-store' };

function fieldsOf({ body }: RouteRequest): Readonly<Record<string, unknown>> {
  const wrong = (problem: string) =>
    failure(registryErrors.REGISTRY_ATTRIBUTE, { attribute: 'the application', problem });
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw wrong('is not JSON');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong('is not an object');
  return json as Readonly<Record<string, unknown>>;
}

/** `POST /applications`: anybody applies for a server that does not register itself. */
export function applicationRoute(desk: Pick<ApplicationDesk, 'hold'>): Route {
  return {
    method: 'POST',
    path: '/applications',
    summary: 'Apply for a server that does not register itself; an administrator decides',
    scope: 'public',
    request,
    status: 202,
    response: object({ id: text, state: schemas.choice('held') }),
    handle: async (asked) => {
      const { id } = await desk.hold(fieldsOf(asked), asked.client ?? '');
      return { status: 202, json: { id, state: 'held' }, headers: unkept };
    },
  };
}

/** Runs an administrator's action and records it; `said` makes the note of its result. */
export type Act = <Result>(
  request: Pick<RouteRequest, 'caller'>,
  about: readonly [action: string, detail: string],
  work: () => Promise<Result>,
  said?: (result: Result) => string,
) => Promise<Result>;

const named = ({ name, url }: Pick<Enlisted, 'name' | 'url'>) => `${name} at ${url}`;

/** The routes by which an administrator decides; each decision is recorded. */
export function applicationControlRoutes(desk: ApplicationDesk, act: Act): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/control/applications',
      summary: 'The applications that wait for a decision',
      scope: 'admin',
      response: object({
        applications: list(object({ ...applicant, id: text, at: time, client: text })),
      }),
      handle: () => ({ json: { applications: desk.list() }, headers: unkept }),
    },
    {
      method: 'POST',
      path: '/control/applications',
      summary: 'List a server that does not register itself, without an application',
      scope: 'admin',
      request,
      response: enlisted,
      handle: async (asked) => ({
        json: await act(asked, ['server add', ''], () => desk.enlist(fieldsOf(asked)), named),
      }),
    },
    {
      method: 'POST',
      path: '/control/applications/:id',
      summary: 'Approve an application: its server is listed as unsigned',
      scope: 'admin',
      parameters: [idParameter],
      response: enlisted,
      handle: async (asked) => {
        const { id = '' } = asked.params;
        return { json: await act(asked, ['application approve', id], () => desk.approve(id), named) };
      },
    },
    {
      method: 'POST',
      path: '/control/applications/:id/refusal',
      summary: 'Refuse an application',
      scope: 'admin',
      parameters: [idParameter],
      response: object({ id: text, url: text, name: text }),
      handle: async (asked) => {
        const { id = '' } = asked.params;
        return { json: await act(asked, ['application refuse', id], () => desk.refuse(id), named) };
      },
    },
  ];
}
