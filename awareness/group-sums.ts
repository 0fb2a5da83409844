import type { Epoch } from './epoch.ts';
import { elementOf, SetFingerprint } from './fingerprint.ts';
import type { GroupSummary, Placed } from './ordered-view.ts';

/** Groups stand as the sum of their keyed element ids (paper, section 6.1); `fingerprint` is what is in it already. */
export function signatureSum(epoch: Epoch, fingerprint = new SetFingerprint()): GroupSummary {
  const element = ({ handle, signature }: Placed) => elementOf(epoch, handle, signature);
  return {
    add: (placed) => fingerprint.add(element(placed)),
    remove: (placed) => fingerprint.remove(element(placed)),
    data: () => fingerprint.digest(),
  };
}

/** Groups stand as their latest timestamp (paper, section 6.2); an object's signature is then its timestamp. */
export function latestStamp(): GroupSummary {
  let latest: Uint8Array = new Uint8Array(0);
  return {
    add: ({ signature }) => {
      if (Buffer.compare(signature, latest) > 0) latest = signature;
    },
    data: () => latest,
  };
}
