import { type Route, schemas } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { isOid } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import {
  bodySchema,
  count,
  countParameter,
  flag,
  JsonBody,
  limitOf,
  pathParameter,
  text,
  textParameter,
  texts,
  unkept,
} from '../requests/index.ts';
import type { Administration } from './administration.ts';
import { type DeletionOrder, deleteObjects } from './deletion.ts';

/** Max ids in one request. */
const maxOids = 1000;

const maxListed = 1000;

const known = ['query', 'oids', 'reason', 'forGood', 'dryRun', 'atMost'];

const deletionReport = schemas.object({
  ...{ dryRun: schemas.flag, understood: schemas.orNull(text), found: count, deleted: count },
  missing: texts,
  sample: schemas.list(schemas.object({ oid: text, url: text, title: text })),
});

const blockedList = schemas.object({
  total: count,
  blocked: schemas.list(
    schemas.object({ oid: text, url: text, isForGood: flag, reason: text, by: text, at: schemas.time }),
  ),
  next: schemas.orNull(text),
});

/** Deletion by query or id, with a dry run first, and the list of blocked objects. */
export function objectRoutes(administration: Administration): readonly Route[] {
  const { broker } = administration;
  const { blocks } = broker.orders;
  return [
    {
      method: 'POST',
      path: '/control/deletions',
      summary: 'Delete objects by query or id, and keep them out; only report them unless dryRun is false',
      scope: 'write',
      request: bodySchema({
        ...{ query: text, oids: texts, reason: text, forGood: flag, atMost: count },
        dryRun: { ...flag, default: true },
      }),
      response: deletionReport,
      handle: async (request) => {
        const body = new JsonBody(request, known);
        const [query, oids] = [body.text('query'), body.texts('oids', maxOids)];
        if ((query === undefined) === (oids === undefined))
          throw failure(brokerErrors.BROKER_BODY, { problem: 'give either query or oids' });
        const atMost = body.number('atMost');
        const order: Omit<DeletionOrder, 'by'> = {
          ...(query !== undefined && { query }),
          ...(oids !== undefined && { oids }),
          ...(typeof atMost === 'number' && { atMost }),
          reason: body.text('reason', 500)?.trim() ?? '',
          isForGood: body.flag('forGood') ?? false,
          isDryRun: body.flag('dryRun') ?? true,
          signal: request.signal,
        };
        const what = query ?? (oids ?? []).join(' ');
        const report = await administration.act(
          request,
          [order.isDryRun ? 'delete, dry run' : 'delete', what],
          (by) => deleteObjects(broker, { ...order, by }),
          ({ found, deleted }) => `${found} found, ${deleted} deleted${order.isForGood ? ' for good' : ''}`,
        );
        return { json: report };
      },
    },
    {
      method: 'GET',
      path: '/control/blocked',
      summary: 'Objects that were deleted by hand and are not taken from their sources again',
      scope: 'write',
      parameters: [
        countParameter('limit', 'How many', maxListed),
        textParameter('after', 'Only those after this object id'),
      ],
      response: blockedList,
      handle: async (request) => {
        const limit = limitOf(request);
        const blocked = await blocks.list(limit, request.query.after || undefined);
        const next = blocked.length < limit ? null : (blocked.at(-1)?.oid ?? null);
        return { json: { total: blocks.count, blocked, next }, headers: unkept };
      },
    },
    {
      method: 'DELETE',
      path: '/control/blocked/:oid',
      summary: 'Unblock an object: it returns at the next round with its source',
      scope: 'write',
      parameters: [pathParameter('oid', 'Object identifier')],
      response: schemas.object({ unblocked: text }),
      handle: async (request) => {
        const oid = request.params.oid ?? '';
        await administration.act(request, ['unblock', oid], async () => {
          if (!isOid(oid) || !(await broker.unblock(oid)))
            throw failure(brokerErrors.BROKER_NOT_BLOCKED, { oid: oid.slice(0, 64) });
        });
        return { json: { unblocked: oid } };
      },
    },
  ];
}
