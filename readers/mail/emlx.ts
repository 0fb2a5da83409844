const maxCountLine = 64;
const flags = Buffer.from('<plist');

const maxBlank = 4096;
const blanks = /^(?:\xef\xbb\xbf)?(?:[ \t]*\r?\n){0,100}(?=[!-9;-~]{1,80}:)/;

/**
 * The message in a file of Apple Mail (.emlx): its length on a line of its own, the message, a property list. Of
 * other bytes a mark and empty lines before the first field are left out.
 */
export function withoutEnvelope(bytes: Uint8Array): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const line = /^(?:\xef\xbb\xbf)?\s{0,8}(\d{1,10})[ \t]*\r?\n(?=[!-9;-~]{1,80}:)/.exec(
    file.toString('latin1', 0, maxCountLine + 100),
  );
  if (line === null) return file.subarray(blanks.exec(file.toString('latin1', 0, maxBlank))?.[0].length ?? 0);
  const start = line[0].length;
  const end = start + Number(line[1]);
  // The length is right when the list follows it; else the list itself shows the end.
  const behind = file.toString('latin1', end, end + 200).trimStart();
  if (end <= file.length && (behind === '' || /^<(?:\?xml|!DOCTYPE plist|plist)/.test(behind)))
    return file.subarray(start, end);
  const list = file.lastIndexOf(flags);
  if (list < start) return file.subarray(start);
  const declaration = file.lastIndexOf('<?xml', list);
  const whole = declaration > start && list - declaration < 400;
  return file.subarray(start, whole ? declaration : list);
}
