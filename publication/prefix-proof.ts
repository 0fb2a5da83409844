import { type Fetch, readBody } from '../fetch/index.ts';
import { type Route, schemas } from '../http/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import type { Identity, ServerId } from '../soif/index.ts';

/** Where a site names the servers that may speak of its addresses. */
const proofPath = '/.well-known/garner.json';

/** `unproved`: the site answered and does not name the server. `unchecked`: the site has not answered. */
export type ProofState = 'proved' | 'unproved' | 'unchecked';

/** A server that a site names, with its key, for the addresses below a prefix. */
export interface NamedServer {
  readonly id: ServerId;
  /** Ed25519 public key, base64url. */
  readonly key: string;
  /** In normal form, of the site itself. */
  readonly prefix: string;
}

const maxBytes = 16 * 1024;
const maxServers = 64;

/** The origin of an http or https address; undefined for any other text. */
export function siteOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.origin : undefined;
}

/** Whether a prefix covers an address: whole parts of a path count, so `/doc` does not cover `/document`. */
function covers(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  return prefix.endsWith('/') || url === prefix || /[/?#]/.test(url.charAt(prefix.length));
}

/** Whether an answer of a site names a server with its key for all these addresses, which are in normal form. */
export function isNamed(
  answer: readonly NamedServer[],
  server: { readonly id: string; readonly key: string },
  urls: readonly string[],
): boolean {
  const prefixes = answer.flatMap(({ id, key, prefix }) =>
    id === server.id && key === server.key ? [prefix] : [],
  );
  return urls.every((url) => prefixes.some((prefix) => covers(prefix, url)));
}

/** Read what a site answered; empty for anything that is not the document. */
function readProofDocument(text: string, site: string): readonly NamedServer[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return [];
  }
  const { servers } = (json ?? {}) as { readonly servers?: unknown };
  if (!Array.isArray(servers)) return [];
  return servers.slice(0, maxServers).flatMap((entry: unknown): readonly NamedServer[] => {
    const { id, key, prefix = `${site}/` } = (entry ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string' || typeof key !== 'string' || typeof prefix !== 'string') return [];
    const normal = URL.parse(prefix);
    // A site speaks of itself alone.
    if (normal === null || normal.origin !== site || normal.search !== '' || normal.hash !== '') return [];
    return [{ id: id as ServerId, key, prefix: normal.href }];
  });
}

/**
 * Request the document of a site: the servers that it names, none where it has no such document, undefined where it did
 * not answer. `fetch` bounds the time, and refuses addresses that may not be requested.
 */
export async function fetchProof(
  site: string,
  { fetch, signal }: { readonly fetch: Fetch; readonly signal?: AbortSignal | undefined },
): Promise<readonly NamedServer[] | undefined> {
  try {
    // A redirect may lead to somebody else, so it is not followed.
    await using response = await fetch({ url: site + proofPath, redirect: 'manual', maxBytes, signal });
    const { status } = response;
    if (status >= 500 || status === 429) return undefined;
    return status === 200 ? readProofDocument(Buffer.from(await readBody(response)).toString(), site) : [];
  } catch (error) {
    signal?.throwIfAborted();
    if (!isGarnerError(error)) throw error;
    return error.code === 'FETCH_TOO_LARGE' ? [] : undefined;
  }
}

/** `GET /.well-known/garner.json` of a server, which proves its own address; for others it is the file to publish. */
export function proofRoute({ serverId, publicKey }: Identity): Route {
  const servers = [{ id: serverId, key: Buffer.from(publicKey).toString('base64url') }];
  return {
    method: 'GET',
    path: proofPath,
    summary: 'The id and key of this server; a site that serves the same document confirms the server',
    scope: 'public',
    // Anybody must be able to check it, and a Registry publishes the same.
    judgesCallers: true,
    response: schemas.object({
      servers: schemas.list(schemas.object({ id: schemas.text, key: schemas.text })),
    }),
    handle: () => ({ json: { servers } }),
  };
}
