import { messageBytes } from './settings.ts';

/** Gather items into lists of about one message's bytes; an item larger than that goes alone. */
export async function* packed<Item>(
  items: AsyncIterable<Item>,
  sizeOf: (item: Item) => number,
): AsyncIterable<readonly Item[]> {
  let list: Item[] = [];
  let size = 0;
  for await (const item of items) {
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
