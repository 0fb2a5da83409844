import type { Clock } from '../kernel/index.ts';
import { requestFailed } from './events.ts';
import { openApi } from './openapi.ts';
import type { Route } from './route.ts';

/** `warn`: something needs the operator, and the server answers as before. `fail`: it cannot do its work. */
const healthStates = ['pass', 'warn', 'fail'] as const;

export interface HealthFinding {
  readonly state: (typeof healthStates)[number];
  /** One short sentence. */
  readonly detail?: string;
}

/** A condition for the server to be healthy. */
export interface HealthCheck {
  readonly name: string;
  check(signal: AbortSignal): Promise<HealthFinding> | HealthFinding;
}

/** A check that takes longer counts as failed. */
const checkTimeoutMs = 2_000;

/** Run all checks at once. A check that throws or takes over two seconds has failed; it never breaks the report. */
export async function healthReport(checks: readonly HealthCheck[], clock: Clock) {
  const found = await Promise.all(checks.map((check) => runCheck(check, clock)));
  const has = (wanted: HealthFinding['state']) => found.some(({ state }) => state === wanted);
  return {
    status: has('fail') ? 'failing' : has('warn') ? 'degraded' : 'ok',
    checks: Object.fromEntries(
      found.map((one, at) => [(checks[at] as HealthCheck).name, { ok: one.state !== 'fail', ...one }]),
    ),
  };
}

async function runCheck(check: HealthCheck, clock: Clock): Promise<HealthFinding> {
  const stop = new AbortController();
  try {
    const late = clock
      .sleep(checkTimeoutMs, stop.signal)
      .then((): HealthFinding => ({ state: 'fail', detail: 'took too long' }));
    // Aborted when the check was faster.
    late.catch(() => {});
    return await Promise.race([check.check(stop.signal), late]);
  } catch (error) {
    requestFailed.publish({ method: 'GET', route: `/health (${check.name})`, error });
    return { state: 'fail', detail: 'the check itself failed' };
  } finally {
    stop.abort();
  }
}

export interface MetricsProvider {
  readonly contentType: string;
  text(): Promise<string> | string;
}

/** The routes of every server: its description, its health and, when a provider is given, its metrics. */
export function serviceRoutes(
  routes: readonly Route[],
  options: {
    readonly title: string;
    readonly version: string;
    readonly clock: Clock;
    readonly health: readonly HealthCheck[];
    readonly metrics?: MetricsProvider | undefined;
  },
): Route[] {
  const { metrics, clock, health } = options;
  const service: Route[] = [
    {
      method: 'GET',
      path: '/health',
      summary:
        'Whether this server is well, by check: 200 when it is ok, or degraded and still answers; 503 when a check fails',
      scope: 'public',
      response: {
        type: 'object',
        required: ['status', 'checks'],
        properties: {
          status: { enum: ['ok', 'degraded', 'failing'] },
          checks: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              required: ['ok', 'state'],
              properties: {
                ok: { type: 'boolean' },
                state: { enum: [...healthStates] },
                detail: { type: 'string' },
              },
            },
          },
        },
      },
      handle: async () => {
        const report = await healthReport(health, clock);
        return {
          status: report.status === 'failing' ? 503 : 200,
          headers: { 'cache-control': 'no-store' },
          json: report,
        };
      },
    },
  ];
  if (metrics !== undefined)
    service.push({
      method: 'GET',
      path: '/metrics',
      summary: 'Counters and gauges in the Prometheus text format',
      scope: 'public',
      media: { 'text/plain': { type: 'string' } },
      handle: async () => ({
        headers: { 'content-type': metrics.contentType, 'cache-control': 'no-store' },
        body: await metrics.text(),
      }),
    });
  const description = openApi([...routes, ...service], options);
  service.push({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description',
    scope: 'public',
    hidden: true,
    isShared: true,
    handle: () => ({ json: description }),
  });
  return service;
}
