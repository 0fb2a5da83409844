import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';

/** A request's body as a JSON object whose fields are read one by one, each held to its kind. Throws BROKER_BODY. */
export class JsonBody {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor({ body }: Pick<RouteRequest, 'body'>, known: readonly string[]) {
    let fields: unknown;
    try {
      fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    } catch {
      throw bad('it is no JSON');
    }
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) throw bad('it is no object');
    const odd = Object.keys(fields).find((name) => !known.includes(name));
    if (odd !== undefined) throw bad(`${JSON.stringify(odd.slice(0, 40))} is none of ${known.join(', ')}`);
    this.#fields = fields as Readonly<Record<string, unknown>>;
  }

  /** What stands there, of whatever kind; undefined where nothing does. */
  value(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  /** A text; undefined where nothing or null stands. */
  text(name: string, longest = 2000): string | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && value.length <= longest) return value;
    throw bad(`${name} is a text of at most ${longest} characters`);
  }

  required(name: string, longest?: number): string {
    const text = this.text(name, longest)?.trim();
    if (text === undefined || text === '') throw bad(`${name} is missing`);
    return text;
  }

  flag(name: string): boolean | undefined {
    const value = this.value(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw bad(`${name} is true or false`);
  }

  /** A whole number from `least` to `most`; null where null stands. */
  number(name: string, min = 0, max = Number.MAX_SAFE_INTEGER): number | null | undefined {
    const value = this.value(name);
    if (value === undefined || value === null) return value;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max)
      return value;
    throw bad(`${name} is a whole number from ${min} to ${max}`);
  }

  texts(name: string, max: number): readonly string[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= max && value.every((one) => typeof one === 'string'))
      return value;
    throw bad(`${name} is a list of at most ${max} texts`);
  }
}

const bad = (problem: string) => failure(brokerErrors.BROKER_BODY, { problem });
