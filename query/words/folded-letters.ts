/**
 * Lower-case letters that are compared as others and that no Unicode normalisation decomposes: the letters before
 * `=` become those after it. The choice is that of the transliteration Latin-ASCII in Unicode CLDR.
 */
const table = `
æ=ae œ=oe ß=ss ð=d þ=th ø=o đ=d ħ=h ı=i ĸ=q ł=l ŋ=n ŧ=t ɶ=oe ĳ=ij ƕ=hv ȣ=ou ƣ=oi
ꜳ=aa ꜵ=ao ꜷ=au ꜹ=av ꜻ=av ꜽ=ay ꝏ=oo ꝡ=vy ꜩ=tz ỻ=ll ỽ=v ỿ=y ᵫ=ue
ɐ=a ɑ=a ⱥ=a ƀ=b ɓ=b ƃ=b ʙ=b ƈ=c ȼ=c ɕ=c ƌ=d ȡ=d ɖ=d ɗ=d ɇ=e ǝ=e ɘ=e ə=e ɛ=e ɜ=e ⱸ=e ƒ=f ꜰ=f
ǥ=g ɠ=g ɡ=g ɢ=g ɣ=g ɦ=h ⱨ=h ʜ=h ɥ=h ɨ=i ɩ=i ɪ=i ȷ=j ɉ=j ɟ=j ʝ=j ƙ=k ⱪ=k ꝁ=k
ƚ=l ȴ=l ɫ=l ɬ=l ɭ=l ʟ=l ⱡ=l ꝉ=l ɯ=m ɱ=m ƞ=n ȵ=n ɲ=n ɳ=n ɴ=n ɔ=o ɵ=o ⱺ=o ƥ=p ᵽ=p ꝑ=p ɋ=q ʠ=q ꝗ=q
ɍ=r ɹ=r ɻ=r ɼ=r ɽ=r ɾ=r ʀ=r ȿ=s ʂ=s ƫ=t ƭ=t ȶ=t ʈ=t ⱦ=t ʉ=u ᴜ=u ʋ=v ʌ=v ⱴ=v ꝟ=v ⱳ=w ƴ=y ɏ=y ʏ=y
ƶ=z ȥ=z ɀ=z ʐ=z ʑ=z ⱬ=z ʒ=z`;

const folded = new Map(
  table
    .trim()
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
);
const letters = new RegExp(`[${[...folded.keys()].join('')}]`, 'g');

/** A lower-case text with such letters replaced. */
export const foldLetters = (text: string): string =>
  text.replace(letters, (letter) => folded.get(letter) ?? letter);
