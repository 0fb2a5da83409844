import { latin1Start } from '../../../readers/bytes/index.ts';
/** The fields of a message's head that an enumerator needs, from its first bytes. */
export interface MailFields {
  /** Without angle brackets. */
  readonly messageId: string | undefined;
  /** Seconds since 1970 of the Date field. */
  readonly date: number | undefined;
  /** Whether it is marked as deleted (X-Status: D, which some mail programs write into an mbox). */
  readonly deleted: boolean;
  /** Whether it is no message but the mail program's own notes (X-IMAP, X-IMAPbase alone in the first one). */
  readonly internal: boolean;
}

const maxHead = 32 * 1024;

/** Read a message's head (RFC 5322), folded lines joined. */
export function mailFields(bytes: Uint8Array): MailFields {
  const start = latin1Start(bytes, maxHead);
  const head = start.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const fields = new Map<string, string>();
  let name = '';
  for (const line of head.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) {
      if (name !== '') fields.set(name, `${fields.get(name)} ${line.trim()}`);
      continue;
    }
    const at = line.indexOf(':');
    name = at < 0 ? '' : line.slice(0, at).trim().toLowerCase();
    if (fields.has(name)) name = '';
    else if (name !== '') fields.set(name, line.slice(at + 1).trim());
  }
  const id = fields.get('message-id');
  const inner = id === undefined ? undefined : (/<([^<>]{1,998})>/.exec(id)?.[1] ?? id);
  const ms = Date.parse((fields.get('date') ?? '').replace(/\([^()]{0,100}\)/g, ''));
  return {
    messageId: inner?.trim().slice(0, 998) || undefined,
    date: Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined,
    deleted: fields.get('x-status')?.includes('D') ?? false,
    internal: fields.has('x-imap') || (fields.has('x-imapbase') && /folder internal data/i.test(head)),
  };
}
