import { ByteView, latin1Start } from '../../bytes/index.ts';
import { CompoundFile } from './compound-file.ts';

/** A document that an object of OLE holds. */
export interface ObjectContent {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const streams = [
  ['Workbook', '.xls'],
  ['Book', '.xls'],
  ['WordDocument', '.doc'],
  ['PowerPoint Document', '.ppt'],
] as const;

/** The document in an object: a packaged file with its name, a package of Office, or the object itself. */
export function objectContent(bytes: Uint8Array, name: string): ObjectContent | undefined {
  try {
    const file = new CompoundFile(bytes);
    const packaged = file.stream('\x01Ole10Native');
    if (packaged !== undefined) return packagedFile(new ByteView(packaged, true));
    const bare = name.replace(/\.bin$/i, '');
    const [office, contents] = [file.stream('Package'), file.stream('CONTENTS')];
    if (office !== undefined) return { name: bare, bytes: office };
    if (contents !== undefined && latin1Start(contents, 5) === '%PDF-')
      return { name: `${bare}.pdf`, bytes: contents };
    const ending = streams.find(([stream]) => file.owns(stream))?.[1];
    return ending === undefined ? undefined : { name: bare + ending, bytes };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}

/** A file that was dragged into a document: two names, a path, then its bytes. */
function packagedFile(view: ByteView): ObjectContent {
  let at = 6;
  const text = () => {
    const end = view.bytes.indexOf(0, at);
    if (end < 0) throw new RangeError('a name without end');
    const found = view.latin1(at, end);
    at = end + 1;
    return found;
  };
  const label = text();
  const path = text();
  at += 8 + view.u32(at + 4);
  const size = view.u32(at);
  const name = (label || path).split(/[/\\]/).at(-1) || 'object';
  return { name, bytes: view.slice(at + 4, at + 4 + size) };
}
