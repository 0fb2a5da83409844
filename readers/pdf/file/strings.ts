// PDFDocEncoding where it differs from windows-1252 (ISO 32000 annex D.3), 0x18 to 0x1f and 0x80 to 0x9f.
const low = '˘ˇˆ˙˝˛˚˜';
const high = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž';

/** A text string (ISO 32000 section 7.9.2.2) as text: UTF-16 or UTF-8 by its mark, else PDFDocEncoding. */
export function textOfString(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  if (text.startsWith('\xfe\xff'))
    return withoutLanguage(
      bytes
        .subarray(2, bytes.length - (bytes.length % 2))
        .swap16()
        .toString('utf16le'),
    );
  if (text.startsWith('\xff\xfe')) return withoutLanguage(bytes.subarray(2).toString('utf16le'));
  if (text.startsWith('\xef\xbb\xbf')) return withoutLanguage(bytes.subarray(3).toString('utf8'));
  if (!/[^\t\n\r\x20-\x7e]/.test(text)) return text;
  return [...text]
    .map((character) => {
      const code = character.charCodeAt(0);
      if (code >= 0x18 && code < 0x20) return low.charAt(code - 0x18);
      if (code >= 0x80 && code < 0xa0) return high.charAt(code - 0x80);
      return code === 0xa0 ? '€' : character;
    })
    .join('')
    .replace(/\ufb01/g, 'fi')
    .replace(/\ufb02/g, 'fl');
}

// An escape of its own may name the language within a string.
function withoutLanguage(text: string): string {
  if (!text.includes('\x1b')) return text;
  return text
    .split('\x1b')
    .filter((part, at) => at % 2 === 0 || part.length > 10)
    .join('');
}

/** A date such as `D:20240131235900+01'00'` (ISO 32000 section 7.9.4) as ISO 8601, or undefined. */
export function dateOfString(text: string): string | undefined {
  const parts = /^\s*(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([Zz+-])?(\d\d)?'?(\d\d)?/.exec(
    text,
  );
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, sign, zoneHour = '00', zoneMinute = '00'] = parts;
  if (Number(month ?? 1) > 12 || Number(day ?? 1) > 31) return undefined;
  if (month === undefined || day === undefined) return [year, month].filter(Boolean).join('-');
  const date = `${year}-${month}-${day}`;
  if (hour === undefined || minute === undefined) return date;
  const zone = sign === undefined ? '' : /z/i.test(sign) ? 'Z' : `${sign}${zoneHour}:${zoneMinute}`;
  return `${date}T${hour}:${minute}:${second ?? '00'}${zone}`;
}
