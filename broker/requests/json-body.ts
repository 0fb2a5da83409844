import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';

/** A request's body as a JSON object, whose fields are checked when read. Throws BROKER_BODY. */
export class JsonBody {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor({ body }: Pick<RouteRequest, 'body'>, known: readonly string[]) {
    let fields: unknown;
    try {
      fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    } catch {
      throw bad('it is not JSON');
    }
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
      throw bad('it is not an object');
    const odd = Object.keys(fields).find((name) => !known.includes(name));
    if (odd !== undefined) throw bad(`${JSON.stringify(odd.slice(0, 40))} is not one of ${known.join(', ')}`);
    this.#fields = fields as Readonly<Record<string, unknown>>;
  }

  /** The value of any type; undefined where the field is absent. */
  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  /** A text; undefined where the field is absent or null. */
  text(name: string, maxLength = 2000): string | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.length <= maxLength) return value;
    throw bad(`${name} must be a text of at most ${maxLength} characters`);
  }

  required(name: string, maxLength?: number): string {
    const text = this.text(name, maxLength)?.trim();
    if (text === undefined || text === '') throw bad(`${name} is missing`);
    return text;
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw bad(`${name} must be true or false`);
  }

  /** A whole number from `min` to `max`; null where the field is null. */
  number(name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | null | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) return value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max)
      return value;
    throw bad(`${name} must be a whole number from ${min} to ${max}`);
  }

  texts(name: string, max: number): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= max && value.every((one) => typeof one === 'string'))
      return value;
    throw bad(`${name} must be a list of at most ${max} texts`);
  }
}

const bad = (problem: string) => failure(brokerErrors.BROKER_BODY, { problem });
