import { KeyAnnouncements, type Keyring, type Verb } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import { oidBytes, type ServerId } from '../../soif/index.ts';
import type { DataFolder } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import type { QueryManager } from '../searching/index.ts';

const messageBytes = 64 * 1024;

/**
 * Bulk transfer (harvest.txt 3.2): sends every whole object that matches a query, with its provenance. The
 * answer to `{type: 'query', q}` is `objects` messages of `[oid, body, updatedAt, publisher, signature]`,
 * and then `done`.
 */
export function bulkVerb(queries: QueryManager, folder: DataFolder, keyring: Keyring): Verb {
  return async (channel, message) => {
    if (typeof message.q !== 'string')
      throw failure(brokerErrors.BROKER_QUERY, { field: 'q', reason: 'is missing' });
    const introductions = new KeyAnnouncements(keyring, folder.identity.serverId);
    const publishers = new Set<ServerId>();
    const send = async () => {
      if (items.length === 0) return;
      await channel.send({ type: 'objects', items, ...(await introductions.of(publishers)) });
      items = [];
      bytes = 0;
      publishers.clear();
    };
    let items: unknown[] = [];
    let bytes = 0;
    let total = 0;
    for (const oid of await queries.matches(message.q)) {
      const object = await folder.store.get(oid);
      if (object === undefined) continue;
      if (bytes + object.body.length > messageBytes) await send();
      const { body, updatedAt, publisher, signature } = object;
      items.push([oidBytes(oid), body, updatedAt, Buffer.from(publisher, 'base64url'), signature]);
      publishers.add(publisher);
      bytes += body.length + 120;
      total++;
    }
    await send();
    await channel.send({ type: 'done', total }, { end: true });
  };
}
