import { failure } from '../../kernel/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import {
  descriptionObject,
  isServerType,
  readDescription,
  type ServerType,
  serverAttributes,
} from '../descriptions/index.ts';
import { registryErrors } from '../errors.ts';

/** What a person says of a server that does not register itself. */
export interface Applicant {
  readonly type: ServerType;
  readonly url: string;
  readonly name: string;
  readonly description: string;
  readonly administrator: string;
  readonly location: string;
  /** Words with commas between them. */
  readonly topics: string;
}

/** A held application. */
export interface Application extends Applicant {
  readonly id: string;
  /** Time of arrival; seconds since 1970. */
  readonly at: number;
  /** The network that it came from. */
  readonly client: string;
}

const maxText = 500;
const maxUrl = 2000;

/** Marks a description that a Registry publishes for a server without a key. */
export const unsignedMark = [serverAttributes.signed, 'no'] as const;

/** A foreign server is asked this often whether it still answers, and is removed after this time without an answer. */
const [refreshSeconds, ttlSeconds] = [6 * 3600, 3 * 86_400];

const wrong = (attribute: string, problem: string) =>
  failure(registryErrors.REGISTRY_ATTRIBUTE, { attribute, problem });

/** Read the fields of an application. Nothing is fetched. Throws REGISTRY_ATTRIBUTE. */
export function readApplicant(fields: Readonly<Record<string, unknown>>): Applicant {
  const text = (name: string, max = maxText) => {
    const value = Object.hasOwn(fields, name) ? (fields[name] ?? '') : '';
    if (typeof value !== 'string') throw wrong(`the ${name}`, 'is not a text');
    if (value.length > max) throw wrong(`the ${name}`, `is longer than ${max} characters`);
    return value.replace(/\s+/g, ' ').trim();
  };
  const type = text('type').toUpperCase();
  if (!isServerType(type)) throw wrong('the type', 'is not that of a server');
  const typed = text('url', maxUrl);
  const applicant = {
    ...{ type, url: URL.parse(typed)?.href ?? typed, name: text('name') },
    ...{ description: text('description'), administrator: text('administrator') },
    ...{ location: text('location'), topics: text('topics') },
  };
  readDescription(applicantObject(applicant, 0));
  return applicant;
}

/** The description that a Registry publishes for an approved application. */
export function applicantObject({ topics, ...texts }: Applicant, updatedAt: number): SummaryObject {
  const { type, url, name, description, administrator, location } = texts;
  const { attributes } = descriptionObject(
    {
      ...{ type, url, name, description, administrator, location, software: '', objects: undefined },
      ...{ refreshSeconds, ttlSeconds },
    },
    updatedAt,
  );
  const own = [...(topics === '' ? [] : [['Topic', topics] as const]), unsignedMark];
  const all = attributes.map(({ name, value }) => [name, value] as const);
  return summaryObject(url, [...all, ...own], type);
}
