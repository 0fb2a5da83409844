import { changedShare, isWorthSending, printSummary } from '../../registry/index.ts';
import { deltaOf, encodeObject, summaryObject } from '../../soif/index.ts';
import type { Results } from '../harness/results.ts';
import { BenchBroker, type Text } from './brokers.ts';
import { documentation, documentationFolders } from './documentation.ts';
import type { FigureId } from './figures.ts';

const wantedBytes = 110_000_000;
const quickBytes = 5_000_000;

/** A Broker with as much documentation as there is, up to a bit more than 100 MB: its summary, and what a change sends. */
export async function measureLarge(
  folder: string,
  results: Results<FigureId>,
  { quick, signal }: { readonly quick: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const texts: Text[] = [];
  let bytes = 0;
  for await (const text of documentation([...documentationFolders].reverse())) {
    signal.throwIfAborted();
    texts.push(text);
    bytes += Buffer.byteLength(text.text);
    if (bytes > (quick ? quickBytes : wantedBytes)) break;
  }
  await using broker = await BenchBroker.open(folder, 100, texts);
  results.add('large text', broker.bytes / 1e6);
  const started = performance.now();
  const before = await broker.summary();
  results.add('large seconds', (performance.now() - started) / 1000);
  const sent = printSummary(before);
  results.add('large bytes', Buffer.byteLength(sent) / 1000);
  results.add('large share', (100 * Buffer.byteLength(sent)) / broker.bytes);
  // Each hundredth text becomes that of its neighbour.
  const changed = texts.flatMap((_, at) => {
    const other = texts[at + 1];
    return at % 100 === 50 && other !== undefined ? [[at, other] as const] : [];
  });
  await broker.replace(changed);
  const after = await broker.summary();
  results.add('update moved', 100 * changedShare(before, after));
  const later = isWorthSending(before, after) ? printSummary(after) : sent;
  const described = (text: string, objects: number) =>
    encodeObject(
      summaryObject(
        'http://broker.example.org/',
        [
          ['Objects', objects],
          ['Content-Summary', text],
        ],
        'BROKER',
      ),
    );
  const whole = described(sent, texts.length);
  const next = described(later, texts.length + changed.length);
  results.add('update sent', (100 * (deltaOf(whole, next) ?? next).length) / whole.length);
}
