import { type StoreModel, schemes, sound } from '../../awareness/index.ts';

/** Which schemes of awareness lose nothing on stores of this kind: a line for those, and one for each reason against. */
export function schemeLines(stores: readonly string[], model: StoreModel): readonly string[] {
  if (stores.length === 0) return [];
  const fit: string[] = [];
  const against = new Map<string, string[]>();
  for (const scheme of schemes) {
    const reason = sound(scheme, model)?.reason;
    if (reason === undefined) fit.push(scheme.name);
    else against.set(reason, [...(against.get(reason) ?? []), scheme.name]);
  }
  const whose =
    stores.length > 1 ? `the stores of ${stores.join(' and ')} are` : `the store of ${stores[0]} is`;
  return [
    `${whose} learned by ${fit.join(', ')}`,
    ...[...against].map(([reason, names]) => `not by ${names.join(', ')}: ${reason}`),
  ];
}
