import { messageBytes } from './settings.ts';

/** Gather items, which come in lists, into lists of about one message's bytes; one larger than that goes alone. */
export async function* packed<Item>(
  lists: AsyncIterable<readonly Item[]>,
  sizeOf: (item: Item) => number,
): AsyncIterable<readonly Item[]> {
  let list: Item[] = [];
  let size = 0;
  for await (const items of lists)
    for (const item of items) {
      const bytes = sizeOf(item);
      if (list.length > 0 && size + bytes > messageBytes) {
        yield list;
        list = [];
        size = 0;
      }
      list.push(item);
      size += bytes;
    }
  if (list.length > 0) yield list;
}
