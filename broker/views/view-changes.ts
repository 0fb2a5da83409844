import { cutAtWord } from '../../kernel/index.ts';
import { Attributes, attributeNumber, attributeText, decodeObject, type Oid } from '../../soif/index.ts';
import type { MembershipEvent } from '../../store/index.ts';

export interface ViewChange {
  /** Its object entered, changed in or left the view: by a change, a deletion, or the end of its time. */
  readonly kind: 'insert' | 'change' | 'delete';
  readonly oid: Oid;
  /** The view's own number; ascending. */
  readonly lsn: number;
  /** When the view noticed it; seconds since 1970. */
  readonly time: number;
  /** These are absent for deletions. */
  readonly url?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  /** Seconds since 1970. */
  readonly updatedAt?: number;
  readonly modifiedAt?: number;
}

const maxTextLength = 500;

export function viewChange(event: MembershipEvent): ViewChange {
  const { kind, oid, lsn, time } = event;
  if (event.kind === 'delete') return { kind, oid, lsn, time };
  const object = decodeObject(event.object.body);
  const text = (name: string) => {
    const value = attributeText(object, name)?.trim();
    return value && cutAtWord(value, maxTextLength);
  };
  const [title, description, type] = [text(Attributes.title), text('Description'), text(Attributes.type)];
  const modifiedAt = attributeNumber(object, Attributes.lastModificationTime);
  return {
    ...{ kind, oid, lsn, time, url: object.url, title: title || object.url },
    ...(description && { description }),
    ...(type && { type }),
    updatedAt: event.object.updatedAt,
    ...(modifiedAt !== undefined && { modifiedAt }),
  };
}
