import {
  type FtpAskOptions,
  type FtpClient,
  type FtpLogin,
  ftpErrors,
  ftpName,
  ftpPlace,
  isMissing,
} from '../../fetch/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { abortSignalOf, type UpstreamRequest, type UpstreamResponse } from '../requests/index.ts';
import { Fields, httpDate, parseHttpDate } from '../rules/index.ts';
import { fileType } from './file-types.ts';
import { folderPage } from './menu-pages.ts';
import {
  freshFor,
  listAnswer,
  type Making,
  streamedAnswer,
  syntheticResponse,
  textAnswer,
} from './synthetic-response.ts';

export type Ftp = Pick<FtpClient, 'list' | 'modified' | 'open'>;

// An anonymous answer is not for users who log in, and vice versa.
const vary = ['Authorization'];

/**
 * The file or folder of an FTP URL as an HTTP response: a file with its date, so that heuristics give its lifetime (RFC
 * 9111 4.2.2), a folder as a list. User and password come from Basic authentication. Rejects with FETCH_*.
 */
export async function askFtp(request: UpstreamRequest, ftp: Ftp, making: Making): Promise<UpstreamResponse> {
  const { url, signal } = request;
  const login = loginOf(new Fields(request.fields).get('authorization'));
  const asking = { signal: abortSignalOf(signal), ...(login && { login }) };
  try {
    if (url.endsWith('/')) {
      const entries = await ftp.list(url, asking);
      return listAnswer(request, { entries }, { page: () => folderPage(url, entries), vary }, making);
    }
    return await fileAnswer(request, ftp, asking, making);
  } catch (error) {
    if (isGarnerError(error, ftpErrors.FETCH_FTP_LOGIN)) {
      const realm = `FTP ${new URL(url).host}`;
      const fields = ['WWW-Authenticate', `Basic realm="${realm}", charset="UTF-8"`];
      return textAnswer(
        request,
        401,
        fields,
        'The FTP server requires another user name and password.',
        making,
      );
    }
    if (!isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED)) throw error;
    const isAbsent = isMissing(error);
    const text = isAbsent ? 'The FTP server has no file of this name.' : 'The FTP server does not permit it.';
    return textAnswer(request, isAbsent ? 404 : 403, ['Vary', 'Authorization'], text, making);
  }
}

async function fileAnswer(
  request: UpstreamRequest,
  ftp: Ftp,
  asking: FtpAskOptions,
  making: Making,
): Promise<UpstreamResponse> {
  const { url, method } = request;
  const name = ftpName(ftpPlace(url).path.split('/').at(-1) ?? '');
  const fieldsOf = (modified: number | undefined) => [
    ...['Content-Type', fileType(name), 'Vary', 'Authorization'],
    ...(modified === undefined ? freshFor(making) : ['Last-Modified', httpDate(modified)]),
  ];
  const now = making.clock.now() / 1000;
  const since = parseHttpDate(new Fields(request.fields).get('if-modified-since'), now);
  if (method === 'HEAD' || since !== undefined) {
    const modified = await ftp.modified(url, asking);
    if (modified !== undefined) {
      const nothing = new Uint8Array();
      if (since !== undefined && modified <= since)
        return syntheticResponse(request, 304, fieldsOf(modified).slice(2), nothing, making);
      if (method === 'HEAD') return syntheticResponse(request, 200, fieldsOf(modified), nothing, making);
    }
  }
  try {
    const { content, modified, size } = await ftp.open(url, asking);
    return streamedAnswer(request, fieldsOf(modified), { content, size }, making);
  } catch (error) {
    if (!isGarnerError(error, ftpErrors.FETCH_FTP_REFUSED)) throw error;
    // Links of the page need the slash of a folder's URL. A URL of no folder is refused like the file.
    await ftp.list(`${url}/`, asking);
    const fields = ['Location', `${url}/`, 'Vary', 'Authorization', ...freshFor(making)];
    return textAnswer(request, 301, fields, 'It is a folder.', making);
  }
}

/** User and password of Basic authentication (RFC 7617), unless they contain characters that no command may have. */
function loginOf(authorization: string | undefined): FtpLogin | undefined {
  const pair = /^basic +([A-Za-z0-9+/]{1,1000}={0,2})$/i.exec(authorization?.trim() ?? '')?.[1];
  if (pair === undefined) return undefined;
  const text = Buffer.from(pair, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || /\p{Cc}/u.test(text)) return undefined;
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
