const plainNumber = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;
const quantity = /^([+-]?\d{1,15}(?:\.\d{1,15})?)([kKMGT]?)(i?)[bB]?$/;
const powers = ['', 'K', 'M', 'G', 'T'];

/** A stored value that is a number and nothing else: `4711`, `-3.5`. */
export function numberOf(value: string): number | undefined {
  const text = value.trim();
  return plainNumber.test(text) ? Number(text) : undefined;
}

/** A number as queries write it, with a unit: `10k` is 10,000, `4Ki` and `4KiB` are 4,096; k, M, G, T; B for bytes. */
export function quantityOf(text: string): number | undefined {
  const found = quantity.exec(text);
  if (found === null) return undefined;
  const [, digits, unit, binary] = found;
  const power = powers.indexOf((unit as string).toUpperCase());
  if (power === 0 && binary === 'i') return undefined;
  return Number(digits) * (binary === 'i' ? 1024 : 1000) ** power;
}
