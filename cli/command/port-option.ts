import { httpErrors } from '../../http/errors.ts';
import { failure, isGarnerError } from '../../kernel/index.ts';

/** Open a listener on the port of an option other than `--port`: errors about the port name that option. */
export async function onPortOf<Opened>(option: string, open: () => Promise<Opened>): Promise<Opened> {
  try {
    return await open();
  } catch (error) {
    for (const kind of [httpErrors.HTTP_PORT_IN_USE, httpErrors.HTTP_PORT_DENIED])
      if (isGarnerError(error, kind))
        throw failure(kind, { ...(error.data as { address: string; port: number }), option }, error.cause);
    throw error;
  }
}
