/** The first place of a slot in the table: 32 bits of its hash. */
type HomeOf = (slot: number) => number;

const empty = 0;
/** Marks an emptied place in the old table, over which the search continues. */
const left = 0xffff_ffff;
/** Slots that move with each change while the table grows. */
const movedTogether = 16;

/**
 * The slots by hash: open addressing with linear probing over slot numbers, max half full. It grows without a
 * pause: slots below a moving mark are already in the larger table, the others still in the old one.
 */
export class PlaceTable {
  readonly #homeOf: HomeOf;
  /** Slot + 1. Its length is always a power of two. */
  #places = new Uint32Array(128);
  #size = 0;
  #old: Uint32Array | undefined;
  /** Slots below this have left the old table. */
  #moved = 0;
  /** Slots that were in the old table when growing began are below this. */
  #end = 0;

  constructor(homeOf: HomeOf) {
    this.#homeOf = homeOf;
  }

  get size(): number {
    return this.#size;
  }

  /** Every slot with this home for which `isIt` holds. */
  find(home: number, isIt: (slot: number) => boolean): number[] {
    const found: number[] = [];
    search(this.#places, home, (slot) => {
      if (isIt(slot)) found.push(slot);
    });
    if (this.#old !== undefined)
      search(this.#old, home, (slot) => {
        // Slots below the mark have moved, and may have been reused.
        if (slot >= this.#moved && isIt(slot)) found.push(slot);
      });
    return found;
  }

  /** Add a slot that is absent. `end`: every used slot is below; `isUsed` distinguishes used slots from free ones. */
  add(slot: number, end: number, isUsed: (slot: number) => boolean): void {
    this.#size++;
    if (this.#old === undefined && this.#size * 2 > this.#places.length) {
      this.#old = this.#places;
      this.#places = new Uint32Array(this.#places.length * 2);
      this.#moved = 0;
      this.#end = end;
    }
    const isNew = this.#old === undefined || slot < this.#moved || slot >= this.#end;
    put(isNew ? this.#places : (this.#old as Uint32Array), this.#homeOf(slot), slot);
    this.#move(isUsed);
  }

  /** Remove a present slot; its home must be unchanged. */
  remove(slot: number): void {
    this.#size--;
    if (this.#old !== undefined && slot >= this.#moved && slot < this.#end) {
      const place = placeOf(this.#old, this.#homeOf(slot), slot);
      this.#old[place] = left;
    } else this.#close(placeOf(this.#places, this.#homeOf(slot), slot));
  }

  /** Move some slots to the larger table. */
  #move(isUsed: (slot: number) => boolean): void {
    if (this.#old === undefined) return;
    for (let count = 0; count < movedTogether && this.#moved < this.#end; count++, this.#moved++)
      if (isUsed(this.#moved)) put(this.#places, this.#homeOf(this.#moved), this.#moved);
    if (this.#moved >= this.#end) this.#old = undefined;
  }

  /** Fill a hole with later slots that could not be reached over it. */
  #close(hole: number): void {
    const places = this.#places;
    const mask = places.length - 1;
    let at = hole;
    for (let place = (at + 1) & mask; places[place] !== empty; place = (place + 1) & mask) {
      const home = this.#homeOf((places[place] as number) - 1) & mask;
      if (((place - home) & mask) < ((place - at) & mask)) continue;
      places[at] = places[place] as number;
      at = place;
    }
    places[at] = empty;
  }
}

function search(places: Uint32Array, home: number, each: (slot: number) => void): void {
  const mask = places.length - 1;
  for (let place = home & mask; places[place] !== empty; place = (place + 1) & mask)
    if (places[place] !== left) each((places[place] as number) - 1);
}

function put(places: Uint32Array, home: number, slot: number): void {
  const mask = places.length - 1;
  let place = home & mask;
  while (places[place] !== empty) place = (place + 1) & mask;
  places[place] = slot + 1;
}

function placeOf(places: Uint32Array, home: number, slot: number): number {
  const mask = places.length - 1;
  let place = home & mask;
  while (places[place] !== slot + 1) place = (place + 1) & mask;
  return place;
}
