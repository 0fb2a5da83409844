/** When the same call may succeed: never without a change, later by itself, or at once. */
export type Retry = 'never' | 'later' | 'now';

/** A folder's entry for one thing that can go wrong. `data` holds the facts of the one case. */
export interface ErrorEntry<Data> {
  /** One sentence: the fault. */
  readonly message: (data: Data) => string;
  /** One sentence: the user's next step. */
  readonly hint: (data: Data) => string;
  /** The hint of docs/errors.md where `hint` holds nothing but data, such as a cure that the thrower names. */
  readonly advice?: string;
  /** Process exit status when this ends a command (docs/errors.md lists them). */
  readonly exit: number;
  readonly retry: Retry;
  /** HTTP status when this ends a request; 500 when absent. */
  readonly status?: number;
}

/** An entry with its stable code, from which a `GarnerError` is made. */
export interface ErrorKind<Data> extends ErrorEntry<Data> {
  readonly code: string;
}

/** A folder's errors by code, as `defineErrors` returns them. */
export type ErrorTable<Table> = {
  readonly [Code in keyof Table & string]: Table[Code] extends ErrorEntry<infer Data>
    ? ErrorKind<Data>
    : never;
};

/** Make a folder's error table; each key becomes the code of its kind. */
export function defineErrors<Table extends Record<string, ErrorEntry<never>>>(
  table: Table,
): ErrorTable<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([code, entry]) => [code, { ...entry, code }]),
  ) as unknown as ErrorTable<Table>;
}

/** The one error class. Match on `code`: codes never change, messages may. */
export class GarnerError extends Error {
  readonly code: string;
  readonly hint: string;
  readonly exit: number;
  readonly retry: Retry;
  readonly status: number;
  readonly data: unknown;

  constructor(entry: ErrorKind<never>, data: unknown, options?: ErrorOptions) {
    const kind = entry as ErrorKind<unknown>;
    super(kind.message(data), options);
    this.name = 'GarnerError';
    this.code = kind.code;
    this.hint = kind.hint(data);
    this.exit = kind.exit;
    this.retry = kind.retry;
    this.status = kind.status ?? 500;
    this.data = data;
  }
}

/** Make a typed error from a table's entry; `cause` is the caught error, if any. */
export function failure<Data>(kind: ErrorKind<Data>, data: Data, cause?: unknown): GarnerError {
  return new GarnerError(kind as ErrorKind<never>, data, cause === undefined ? undefined : { cause });
}

/** Whether `error` is a `GarnerError` (of the given kind, if one is given). */
export function isGarnerError(error: unknown, kind?: { readonly code: string }): error is GarnerError {
  return error instanceof GarnerError && (kind === undefined || error.code === kind.code);
}

/** The longest chain of causes that is followed: one may close on itself. */
const maxCauses = 10;

/** Whether an error, or a cause of it, says that this process or this machine has no file descriptor left. */
export function isOutOfFiles(error: unknown): boolean {
  let at = error;
  for (let depth = 0; at instanceof Error && depth < maxCauses; depth++, at = at.cause) {
    const { code } = at as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return true;
    // LevelDB has the system's code only in its text.
    if (code === 'LEVEL_IO_ERROR' && /too many open files/i.test(at.message)) return true;
  }
  return false;
}
