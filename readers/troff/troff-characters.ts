// Names of troff's special characters, as in `\(em`: each word is a name of two characters and then its text
// (groff_char(7) lists them).
const twoCharacterNames =
  "-DÐ Sdð TPÞ Tpþ ssß ffff fifi flfl Fiffi Flffl /LŁ /lł /OØ /oø AEÆ aeæ OEŒ oeœ IJĲ ijĳ .iı .jȷ 'AÁ " +
  "'CĆ 'EÉ 'IÍ 'OÓ 'UÚ 'YÝ 'aá 'cć 'eé 'ií 'oó 'uú 'yý :AÄ :EË :IÏ :OÖ :UÜ :YŸ :aä :eë :iï " +
  ':oö :uü :yÿ ^AÂ ^EÊ ^IÎ ^OÔ ^UÛ ^aâ ^eê ^iî ^oô ^uû `AÀ `EÈ `IÌ `OÒ `UÙ `aà `eè `iì `oò `uù ~AÃ ~NÑ ' +
  '~OÕ ~aã ~nñ ~oõ vSŠ vsš vZŽ vzž ,CÇ ,cç oAÅ oaå a"˝ a-¯ a.˙ a^^ aa´ ga` ab˘ ac¸ ad¨ ahˇ ao˚ a~~ ho˛ ' +
  'ha^ ti~ Bq„ bq‚ lq“ rq” oq‘ cq’ aq\' dq" Fo« Fc» fo‹ fc› r!¡ r?¿ em— en– hy- lB[ rB] lC{ rC} la⟨ ra⟩ ' +
  'bv⎪ lt⎧ lk⎨ lb⎩ rt⎫ rk⎬ rb⎭ <-← ->→ <>↔ da↓ ua↑ va↕ lA⇐ rA⇒ hA⇔ dA⇓ uA⇑ vA⇕ an⎯ ba| br│ ul_ rn‾ ru_ ' +
  'bb¦ sl/ rs\\ ci○ bu• dd‡ dg† lz◊ sq□ ps¶ sc§ lh☜ rh☞ at@ sh# CR↵ OK✓ co© rg® tm™ Do$ ct¢ eu€ Eu€ Ye¥ ' +
  'Po£ Cs¤ Fnƒ de° %0‰ fm′ sd″ mcµ Ofª Omº AN∧ OR∨ no¬ te∃ fa∀ st∋ 3d∴ tf∴ or| 12½ 14¼ 34¾ 18⅛ 38⅜ 58⅝ ' +
  '78⅞ S1¹ S2² S3³ pl+ mi− -+∓ +-± pc· md⋅ mu× c*⊗ c+⊕ di÷ f/⁄ **∗ <=≤ >=≥ <<≪ >>≫ eq= !=≠ ==≡ ne≢ =~≅ ' +
  '|=≃ ap∼ ~~≈ ~=≈ pt∝ es∅ mo∈ nm∉ sb⊂ nb⊄ sp⊃ nc⊅ ib⊆ ip⊇ ca∩ cu∪ /_∠ pp⊥ is∫ gr∇ sr√ lc⌈ rc⌉ lf⌊ rf⌋ ' +
  'if∞ Ahℵ Imℑ Reℜ wp℘ pd∂ -hℏ *AΑ *BΒ *GΓ *DΔ *EΕ *ZΖ *YΗ *HΘ *IΙ *KΚ *LΛ *MΜ *NΝ *CΞ *OΟ *PΠ *RΡ *SΣ ' +
  '*TΤ *UΥ *FΦ *XΧ *QΨ *WΩ *aα *bβ *gγ *dδ *eε *zζ *yη *hθ *iι *kκ *lλ *mμ *nν *cξ *oο *pπ *rρ tsς *sσ ' +
  '*tτ *uυ *fϕ *xχ *qψ *wω +hϑ +fφ +pϖ +eϵ CL♣ SP♠ HE♥ DI♦ bs☺';

const longNames: Readonly<Record<string, string>> = {
  radicalex: '‾',
  integral: '∫',
  sum: '∑',
  product: '∏',
  coproduct: '∐',
  sqrt: '√',
  hbar: 'ℏ',
  tno: '¬',
  tdi: '÷',
  tmu: '×',
  't+-': '±',
  Euro: '€',
};

/** The text of a special character's name, such as `em` and `*a`; pure data. */
export const troffCharacters: ReadonlyMap<string, string> = new Map([
  ...twoCharacterNames.split(' ').map((word) => [word.slice(0, 2), word.slice(2)] as const),
  ...Object.entries(longNames),
]);
