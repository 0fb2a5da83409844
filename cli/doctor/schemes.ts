import { type StoreModel, schemes, sound } from '../../awareness/index.ts';

/** A line with the schemes of awareness that are sound on stores of this kind, and one for each reason against others. */
export function schemeLines(stores: readonly string[], model: StoreModel): readonly string[] {
  if (stores.length === 0) return [];
  const fit: string[] = [];
  const against = new Map<string, string[]>();
  for (const scheme of schemes) {
    const reason = sound(scheme, model)?.reason;
    if (reason === undefined) fit.push(scheme.name);
    else against.set(reason, [...(against.get(reason) ?? []), scheme.name]);
  }
  const whose = stores.length > 1 ? `the stores of ${stores.join(' and ')}` : `the store of ${stores[0]}`;
  return [
    `${whose} can be collected by the schemes ${fit.join(', ')}`,
    ...[...against].map(([reason, names]) =>
      names.length === 1
        ? `scheme ${names.join()} is not used: ${reason}`
        : `schemes ${names.join(', ')} are not used: ${reason}`,
    ),
  ];
}
