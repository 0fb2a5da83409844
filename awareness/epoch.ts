/** Log sequence number of a store's change: 1, 2, 3, ... within an epoch; 0 is before the first. */
export type Lsn = number;

/** Random id of a store's life, renewed when it is rebuilt. base64url of 12 bytes. */
export type Epoch = string & { readonly brand: 'Epoch' };
