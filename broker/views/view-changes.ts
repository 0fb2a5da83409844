import { Attributes, attributeNumber, attributeText, decodeObject, type Oid } from '../../soif/index.ts';
import type { MembershipEvent } from '../../store/index.ts';

/** One change of a view as programs are told it. */
export interface ViewChange {
  /** It entered the view, changed in it, or left it: by a change of its own, a deletion, or at the end of its time. */
  readonly kind: 'insert' | 'change' | 'delete';
  readonly oid: Oid;
  /** The view's own; ascending. */
  readonly lsn: number;
  /** Seconds since 1970; when the view noticed. */
  readonly time: number;
  /** These are absent for what left. */
  readonly url?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  /** Seconds since 1970. */
  readonly updatedAt?: number;
  readonly modifiedAt?: number;
}

const maxTextLength = 500;

/** What an event of a view's set says of its object. */
export function viewChange(event: MembershipEvent): ViewChange {
  const { kind, oid, lsn, time } = event;
  if (event.kind === 'delete') return { kind, oid, lsn, time };
  const object = decodeObject(event.object.body);
  const text = (name: string) => attributeText(object, name)?.trim().slice(0, maxTextLength);
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
