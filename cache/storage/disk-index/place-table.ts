/** What the table needs to know of slots: 32 bits that say where one belongs. */
type HomeOf = (slot: number) => number;

const empty = 0;
/** In a table that is being left: nothing here, and the search goes on. */
const left = 0xffff_ffff;
/** Slots that move with each change while the table grows. */
const movedTogether = 16;

/**
 * Which slots have a hash: open addressing with linear probing over slot numbers, at most half full. It grows without
 * stopping the world: slots below a moving mark are in the wider table already, the others still in the old one.
 */
export class PlaceTable {
  readonly #homeOf: HomeOf;
  /** Slot + 1. Always a power of two. */
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

  /** Every slot that may have this home; `isIt` says which of them do. */
  find(home: number, isIt: (slot: number) => boolean): number[] {
    const found: number[] = [];
    search(this.#places, home, (slot) => {
      if (isIt(slot)) found.push(slot);
    });
    if (this.#old !== undefined)
      search(this.#old, home, (slot) => {
        // Those below the mark have moved, and may be somebody else's by now.
        if (slot >= this.#moved && isIt(slot)) found.push(slot);
      });
    return found;
  }

  /** Put in a slot that is not there. `end`: every slot in use is below; `isUsed` tells those in use from the free. */
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

  /** Take out a slot that is there; its home is still what it was. */
  remove(slot: number): void {
    this.#size--;
    if (this.#old !== undefined && slot >= this.#moved && slot < this.#end) {
      const place = placeOf(this.#old, this.#homeOf(slot), slot);
      this.#old[place] = left;
    } else this.#close(placeOf(this.#places, this.#homeOf(slot), slot));
  }

  /** Take some slots over into the wider table. */
  #move(isUsed: (slot: number) => boolean): void {
    if (this.#old === undefined) return;
    for (let count = 0; count < movedTogether && this.#moved < this.#end; count++, this.#moved++)
      if (isUsed(this.#moved)) put(this.#places, this.#homeOf(this.#moved), this.#moved);
    if (this.#moved >= this.#end) this.#old = undefined;
  }

  /** Whoever stands after a hole and could not be reached over it moves into it. */
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
