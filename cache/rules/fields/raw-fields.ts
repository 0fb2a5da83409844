/** A message's fields as received: name, value, name, value, ... in order; every string is latin1. */
export type RawFields = readonly string[];
