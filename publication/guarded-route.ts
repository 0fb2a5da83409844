import type { Route } from '../http/index.ts';
import { type GarnerError, isGarnerError } from '../kernel/index.ts';
import type { ClientGate } from './client-gate.ts';
import type { RefusalReports } from './refusal-reports.ts';

interface Guard {
  readonly gate: ClientGate;
  readonly reports: RefusalReports;
  readonly maxBodyBytes: number;
}

/** What a refused body says of its publisher and URL; nothing of it is proved. */
function subjectOf(body: Uint8Array): string {
  try {
    const row = JSON.parse(Buffer.from(body).toString()) as Readonly<Record<string, unknown>> | null;
    return [row?.publisher, row?.url]
      .filter((part) => typeof part === 'string')
      .map((part) => part.slice(0, 100))
      .join(' ');
  } catch {
    return '';
  }
}

/**
 * The same route for strangers: each client network has a rate and a number of requests at once, a body is bounded
 * before it is read, and refusals are reported.
 */
export function guardedRoute(route: Route, { gate, reports, maxBodyBytes }: Guard): Route {
  const refused = ({ code, message }: GarnerError, client: string, subject = '') =>
    reports.report(client, [code, subject, `from ${client}: ${message}`].filter(Boolean).join(' '));
  return {
    ...route,
    body: { maxBytes: maxBodyBytes, refused },
    handle: async (request) => {
      const { body, client } = request;
      // A call within the process comes from no network.
      if (client === undefined) return route.handle(request);
      try {
        return await gate.run(client, async () => route.handle(request));
      } catch (error) {
        // An overload must not cost the reading of its bodies.
        const isOverload = isGarnerError(error) && (error.status === 429 || error.status === 503);
        if (isGarnerError(error)) refused(error, client, isOverload ? '' : subjectOf(body));
        throw error;
      }
    },
  };
}
