import { beginning, oneLine } from '../text/index.ts';
import type { JsonEvents, JsonScalar } from './json-scanner.ts';

const maxDepth = 8;
const maxPaths = 2000;
const maxKept = 200;
const maxValue = 4000;

interface PathProfile {
  readonly types: Map<JsonScalar | 'object' | 'array', number>;
  /** The first strings and numbers at a path. */
  readonly values: string[];
}

/** JSON's shape from its events: paths to eight levels, with types and counts; `features[].name`. */
export class JsonShape implements JsonEvents {
  readonly #paths = new Map<string, PathProfile>();
  readonly #open: { readonly path: string; readonly array: boolean }[] = [];
  #cut = false;
  #texts = 0;
  readonly #onText: (text: string) => void;

  /** `onText` receives every string with words. */
  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Whether paths were left out because there were too many. */
  get cut(): boolean {
    return this.#cut;
  }

  get paths(): readonly string[] {
    return [...this.#paths.keys()];
  }

  get strings(): number {
    return this.#texts;
  }

  object(key: string | undefined): void {
    this.#open.push({ path: this.#note(key, 'object'), array: false });
  }

  array(key: string | undefined): void {
    this.#open.push({ path: this.#note(key, 'array'), array: true });
  }

  end(): void {
    this.#open.pop();
  }

  value(key: string | undefined, type: JsonScalar, text: string): void {
    const path = this.#note(key, type);
    const profile = this.#paths.get(path);
    if (profile !== undefined && profile.values.length < maxKept && type !== 'null')
      profile.values.push(beginning(text, maxValue));
    if (type === 'string') {
      this.#texts++;
      this.#onText(text);
    }
  }

  /** The number of values of a type at a path. */
  count(path: string, type?: JsonScalar | 'object' | 'array'): number {
    const types = this.#paths.get(path)?.types;
    if (types === undefined) return 0;
    return type === undefined
      ? [...types.values()].reduce((sum, count) => sum + count, 0)
      : (types.get(type) ?? 0);
  }

  /** The first values at a path, as texts. */
  values(path: string): readonly string[] {
    return this.#paths.get(path)?.values ?? [];
  }

  /** `path: type, count` for each path, where the count is more than one. */
  describe(): string {
    return [...this.#paths]
      .filter(([path]) => path !== '')
      .map(([path, { types }]) => {
        const total = [...types.values()].reduce((sum, count) => sum + count, 0);
        const names = [...types.keys()].join('|');
        return total > 1 ? `${path}: ${names}, ${total}` : `${path}: ${names}`;
      })
      .join('\n');
  }

  #note(key: string | undefined, type: JsonScalar | 'object' | 'array'): string {
    const around = this.#open.at(-1);
    const deep = this.#open.length > maxDepth;
    const name = key === undefined ? '' : beginning(oneLine(key), 100);
    const path =
      around === undefined
        ? ''
        : around.array
          ? `${around.path}[]`
          : around.path === ''
            ? name
            : `${around.path}.${name}`;
    let profile = this.#paths.get(path);
    if (profile === undefined) {
      // At the max depth a path covers all paths beneath it.
      if (deep || this.#paths.size >= maxPaths) {
        this.#cut ||= !deep;
        return deep ? (around?.path ?? '') : path.slice(0, 500);
      }
      profile = { types: new Map(), values: [] };
      this.#paths.set(path, profile);
    }
    profile.types.set(type, (profile.types.get(type) ?? 0) + 1);
    return path;
  }
}
