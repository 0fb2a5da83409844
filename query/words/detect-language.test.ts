import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { detectedLength, detectLanguage } from './detect-language.ts';
import { languages } from './languages.ts';
import { languageOfObject } from './object-language.ts';

const paragraphs: Readonly<Record<string, string>> = {
  en: 'The ships that leave this harbour in the morning are back before it is dark, and those who own them are glad of it.',
  de: 'Die Schiffe, die am Morgen aus dem Hafen laufen, sind wieder da, bevor es dunkel wird, und das freut ihre Besitzer.',
  nl: 'De schepen die in de ochtend uit de haven varen, zijn terug voordat het donker wordt, en daar zijn ze blij mee.',
  fr: 'Les navires qui quittent le port dans la matinée sont de retour avant la nuit, ce dont leurs maîtres se réjouissent.',
  es: 'Los barcos que salen del puerto por la mañana vuelven antes de que sea de noche, y sus dueños se alegran de ello.',
  pt: 'Os navios que saem do porto pela manhã voltam antes que seja noite, e os seus donos ficam contentes com isso.',
  it: 'Le navi che lasciano il porto al mattino sono di ritorno prima che sia buio, e questo piace ai loro padroni.',
  ro: 'Navele care pleacă din port dimineața se întorc înainte de noapte, iar stăpânii lor sunt bucuroși de asta.',
  sv: 'Fartygen som lämnar hamnen på morgonen är tillbaka innan det har blivit mörkt, och det är deras ägare glada över.',
  no: 'Skipene som forlater havnen om morgenen, er tilbake før det har blitt mørkt, og det er eierne deres glade for.',
  da: 'Skibene, der forlader havnen om morgenen, er tilbage, før det er blevet mørkt, og det er deres ejere glade for.',
  fi: 'Laivat, jotka lähtevät satamasta aamulla, ovat takaisin ennen kuin on pimeä, ja siitä niiden omistajat ovat iloisia.',
  hu: 'A hajók, amelyek reggel elhagyják a kikötőt, még sötétedés előtt visszaérnek, és ennek a gazdáik nagyon örülnek.',
  ru: 'Корабли, которые утром выходят из порта, возвращаются до того, как станет темно, и хозяева этому рады, а мы тоже.',
  tr: 'Sabah limandan çıkan gemiler hava kararmadan önce geri döner, ama bu her zaman böyle değildir, çünkü deniz büyük.',
  el: 'Τα πλοία που φεύγουν από το λιμάνι το πρωί είναι πίσω πριν από τη νύχτα, και αυτό αρέσει στους ιδιοκτήτες τους.',
  ar: 'السفن التي تغادر من الميناء في الصباح تعود إلى هنا قبل الليل وهذا كل ما نعرف عن السفن',
  id: 'Kapal yang keluar dari pelabuhan pada pagi hari akan kembali sebelum malam, tetapi itu tidak selalu demikian.',
  pl: 'Statki, które rano wychodzą z portu, są z powrotem przed nocą, ale nie zawsze, bo morze jest bardzo duże.',
  cs: 'Lodě, které ráno vyplují z přístavu, jsou zpět ještě před nocí, ale ne vždy a ne když je bouře.',
  uk: 'Кораблі, які вранці виходять із порту, повертаються до того, як стане темно, але це не завжди так, і ми це знаємо.',
  he: 'הספינות אשר יוצאות מן הנמל של העיר בבוקר חוזרות לפני הלילה, אבל לא כל יום',
  fa: 'کشتی ها که از بندر می روند تا شب به شهر باز می گردند و این را همه می دانند',
  ja: '朝に港を出る船は、暗くなる前に戻ってきます。持ち主はそれを喜んでいます。',
  ko: '아침에 항구를 떠나는 배들은 어두워지기 전에 돌아옵니다. 주인들은 그것을 기뻐합니다.',
  zh: '早上离开港口的船在天黑之前回来，船主们对此感到高兴。',
};

test('the language of a paragraph is detected', () => {
  assert.deepEqual(Object.keys(paragraphs).sort(), [...languages].sort());
  for (const [language, text] of Object.entries(paragraphs))
    assert.equal(detectLanguage(text), language, text);
});

test('a text with too few signs has no language', () => {
  const texts = [
    '',
    'die',
    'Der Hafen',
    '0x7f mov eax ebx ret jmp 0x80 push pop nop int xor',
    '1 2 3 4 5 6 7 8 9 10',
  ];
  for (const text of texts) assert.equal(detectLanguage(text), undefined, text);
});

test('commands among its words do not hide the language of a manual', () => {
  const text = `${paragraphs.ru} tar gzip bzip2 cpio afio star pax zip unzip rar`;
  assert.equal(detectLanguage(text), 'ru');
});

test('only the beginning is read', () => {
  const beginning = `${paragraphs.de} `.repeat(Math.ceil(detectedLength / 100));
  assert.equal(detectLanguage(beginning + (paragraphs.en as string).repeat(10_000)), 'de');
});

test('any text is read', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const detected = detectLanguage(text);
      assert.ok(detected === undefined || languages.includes(detected));
    }),
  );
});

test('an object is in the language it names, then in that of its text, then in the fallback', () => {
  const object = (attributes: readonly (readonly [string, string])[]) =>
    summaryObject('http://x.org/', attributes);
  const german = ['Full-Text', paragraphs.de as string] as const;
  assert.equal(languageOfObject(object([['Language', 'fr-CA'], german]), 'en'), 'fr');
  assert.equal(languageOfObject(object([['Language', 'Klingon'], german]), 'en'), 'de');
  assert.equal(languageOfObject(object([['Title', 'Ships'], german]), 'en'), 'de');
  assert.equal(languageOfObject(object([['Abstract', paragraphs.it as string]]), 'en'), 'it');
  assert.equal(languageOfObject(object([['MD5', paragraphs.de as string]]), 'en'), 'en');
  const unsure = object([['Title', 'index']]);
  assert.equal(languageOfObject(unsure, 'en'), 'en');
  assert.equal(languageOfObject(unsure, 'fi'), 'fi');
});
