import { mboxMessages, unquoted } from '../bytes/index.ts';
import type { ExplodedRecord } from './record.ts';

/** The messages of a mailbox, each as a record with its number; one `>` is removed from quoted `From ` lines. */
export function* mboxRecords(bytes: Uint8Array): Generator<ExplodedRecord> {
  let number = 0;
  for (const { header, body, quoted } of mboxMessages(bytes))
    yield {
      path: String(++number),
      type: 'Mail',
      bytes: Buffer.concat([header, quoted ? unquoted(body) : body]),
      fields: [],
    };
}
