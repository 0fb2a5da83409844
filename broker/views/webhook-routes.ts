import { type Route, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { bodySchema, JsonBody, pathParameter } from '../requests/index.ts';
import { viewErrors } from './errors.ts';
import { viewName } from './view-requests.ts';
import type { Views } from './views.ts';
import type { Webhook } from './webhook-table.ts';
import type { Webhooks } from './webhooks.ts';

/** A webhook without its secret. */
function shown({ secret: _, sent, nextTryAt, ...webhook }: Webhook) {
  return { ...webhook, sentUpTo: sent?.lsn ?? null, nextTryAt: Math.floor(nextTryAt / 1000) };
}

const id = pathParameter('id', 'Id of a webhook');

const { choice, count, list, number, object, orNull, text, time } = schemas;

const webhookShown = {
  ...{ id: text, view: text, url: text, createdAt: time, state: choice('active', 'paused') },
  ...{ failures: count, error: orNull(text), lastSentAt: orNull(time), sentUpTo: orNull(count) },
  nextTryAt: number,
};

/** The webhooks of a view. All routes need a token, because addresses may hold secrets. */
export function webhookRoutes(views: Views, webhooks: Webhooks): readonly Route[] {
  const ofView = (view: string, webhook: string): string => {
    if (!webhooks.of(view).some((one) => one.id === webhook))
      throw failure(viewErrors.VIEW_NO_WEBHOOK, { webhook: webhook.slice(0, 40) });
    return webhook;
  };
  return [
    {
      method: 'GET',
      path: '/views/:name/webhooks',
      summary: 'The webhooks of a view and their state',
      scope: 'admin',
      parameters: [viewName],
      response: object({ webhooks: list(object(webhookShown)) }),
      handle: async ({ params: { name: view = '' } }) => {
        await views.status(view);
        return { json: { webhooks: webhooks.of(view).map(shown) } };
      },
    },
    {
      method: 'POST',
      path: '/views/:name/webhooks',
      summary: 'Send the changes of a view to {"url"}; only this answer contains the secret that signs them',
      scope: 'admin',
      parameters: [viewName],
      request: bodySchema({ url: text }, 'url'),
      status: 201,
      response: object({ ...webhookShown, secret: text }),
      handle: async (request) => {
        const url = new JsonBody(request, ['url']).required('url');
        const webhook = await webhooks.add(request.params.name ?? '', url);
        return { status: 201, json: { ...shown(webhook), secret: webhook.secret } };
      },
    },
    {
      method: 'POST',
      path: '/views/:name/webhooks/:id/resume',
      summary: 'Resume a paused webhook',
      scope: 'admin',
      parameters: [viewName, id],
      response: object(webhookShown),
      handle: async ({ params: { name: view = '', id: webhook = '' } }) => ({
        json: shown(await webhooks.resume(ofView(view, webhook))),
      }),
    },
    {
      method: 'DELETE',
      path: '/views/:name/webhooks/:id',
      summary: 'Remove a webhook of a view',
      scope: 'admin',
      parameters: [viewName, id],
      response: object({ removed: text }),
      handle: async ({ params: { name: view = '', id: webhook = '' } }) => {
        await webhooks.remove(ofView(view, webhook));
        return { json: { removed: webhook } };
      },
    },
  ];
}
