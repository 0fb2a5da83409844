import {
  type GopherAccess,
  type GopherMenu,
  type GopherPlace,
  gopherErrors,
  gopherPlace,
  gopherUrl,
  isMissingMenu,
  readBody,
} from '../../fetch/index.ts';
import { failure, isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { abortSignalOf, type UpstreamRequest, type UpstreamResponse } from '../requests/index.ts';
import { fileType } from './file-types.ts';
import { menuPage, searchName } from './menu-pages.ts';
import { freshFor, listAnswer, type Making, syntheticResponse, textAnswer } from './synthetic-response.ts';

// Item types that state their media type.
const itemTypes: Readonly<Record<string, string>> = { '0': 'text/plain', h: 'text/html', g: 'image/gif' };

const nothing: GopherMenu = { items: [], broken: 0, cut: false, ended: true };

/** The place of a URL of type 7, with its search as in RFC 4266 2.2 or in the query of our own form. */
function searchedPlace(url: string): GopherPlace {
  const query = url.indexOf(`?${searchName}=`);
  if (query < 0) return gopherPlace(url);
  const words = new URLSearchParams(url.slice(query)).get(searchName) ?? '';
  // The text in UTF-8, a byte each.
  return { ...gopherPlace(url.slice(0, query)), search: Buffer.from(words.trim()).toString('latin1') };
}

/** The item of a Gopher URL as an HTTP response; it has no date, so all items have the same lifetime. */
export async function askGopher(
  request: UpstreamRequest,
  gopher: GopherAccess,
  making: Making,
): Promise<UpstreamResponse> {
  const { url } = request;
  const signal = abortSignalOf(request.signal);
  const { type, selector } = gopherPlace(url);
  const searched = type === '7' ? searchedPlace(url) : undefined;
  if (searched !== undefined && !searched.search)
    return listAnswer(request, nothing, { page: () => menuPage(url, nothing, searched) }, making);
  if (type === '1' || searched !== undefined) {
    const place = searched === undefined ? url : gopherUrl(searched);
    if (place === undefined)
      throw failure(cacheErrors.CACHE_BAD_REQUEST, { problem: 'its search is too long or not one line' });
    const menu = await gopher.menu(place, signal).catch((error: unknown) => {
      if (isGarnerError(error, gopherErrors.FETCH_GOPHER_MENU) && isMissingMenu(error)) return undefined;
      throw error;
    });
    if (menu === undefined)
      return textAnswer(request, 404, [], 'The Gopher server has no such menu.', making);
    return listAnswer(request, menu, { page: () => menuPage(url, menu, searched) }, making);
  }
  await using response = await gopher.fetch({ url, signal });
  if (response.status !== 200)
    return textAnswer(request, 404, [], 'The Gopher server answers it with an error.', making);
  const typed = Object.hasOwn(itemTypes, type) ? itemTypes[type] : undefined;
  const contentType = typed ?? fileType(selector.split('/').at(-1) ?? '');
  return syntheticResponse(
    request,
    200,
    ['Content-Type', contentType, ...freshFor(making)],
    await readBody(response),
    making,
  );
}
