import { type GopherAccess, gopherErrors, gopherPlace, isMissingMenu, readBody } from '../../fetch/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import type { UpstreamRequest, UpstreamResponse } from '../exchange.ts';
import { abortSignalOf } from '../leaving.ts';
import { fileType } from './file-types.ts';
import { freshFor, listAnswer, type Making, madeAnswer, wordsAnswer } from './made-answer.ts';
import { menuPage } from './menu-pages.ts';

// Item types that say themselves what they are.
const itemTypes: Readonly<Record<string, string>> = { '0': 'text/plain', h: 'text/html', g: 'image/gif' };

/** What a Gopher server has under a URL, as an HTTP response; it bears no date, so that all of it is fresh as long. */
export async function askGopher(
  request: UpstreamRequest,
  gopher: GopherAccess,
  making: Making,
): Promise<UpstreamResponse> {
  const { url } = request;
  const signal = abortSignalOf(request.signal);
  const { type, selector } = gopherPlace(url);
  if (type === '1') {
    const menu = await gopher.menu(url, signal).catch((error: unknown) => {
      if (isGarnerError(error, gopherErrors.FETCH_GOPHER_MENU) && isMissingMenu(error)) return undefined;
      throw error;
    });
    if (menu === undefined)
      return wordsAnswer(request, 404, [], 'The Gopher server has no such menu.', making);
    return listAnswer(request, menu, { page: () => menuPage(url, menu) }, making);
  }
  await using response = await gopher.fetch({ url, signal });
  if (response.status !== 200)
    return wordsAnswer(request, 404, [], 'The Gopher server has only an error for it.', making);
  const told = Object.hasOwn(itemTypes, type) ? itemTypes[type] : undefined;
  const contentType = told ?? fileType(selector.split('/').at(-1) ?? '');
  return madeAnswer(
    request,
    200,
    ['Content-Type', contentType, ...freshFor(making)],
    await readBody(response),
    making,
  );
}
