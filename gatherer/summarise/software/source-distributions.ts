/** The classes that recognise and read source distributions; loaded at the first archive. */
export async function sourceDistributions() {
  const { DistributionReader } = await import('./source-distribution/distribution-reader.ts');
  const { DistributionSigns } = await import('./source-distribution/distribution-signs.ts');
  return { DistributionReader, DistributionSigns };
}
