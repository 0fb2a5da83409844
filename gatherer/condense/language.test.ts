import assert from 'node:assert/strict';
import { test } from 'node:test';
import { termsOf } from '../../query/index.ts';
import { knownLanguages, languageOf, stopTerms } from './language.ts';

const sentences: Readonly<Record<string, string>> = {
  en: 'The ships that leave this harbour in the morning are back before it is dark.',
  de: 'Die Schiffe, die am Morgen aus dem Hafen laufen, sind wieder da, bevor es dunkel wird.',
  fr: 'Les navires qui quittent le port dans la matinée sont de retour avant la nuit.',
  es: 'Los barcos que salen del puerto por la mañana vuelven antes de que sea de noche.',
  it: 'Le navi che lasciano il porto al mattino sono di ritorno prima che sia buio.',
  pt: 'Os navios que saem do porto pela manhã não voltam até que seja noite, mas com o vento sim.',
  nl: 'De schepen die in de ochtend uit de haven varen, zijn terug voordat het donker wordt.',
  sv: 'Fartygen som lämnar hamnen på morgonen är tillbaka innan det har blivit mörkt, och inte efter.',
  da: 'Skibene, der forlader havnen om morgenen, er tilbage, før det er blevet mørkt, og ikke efter.',
  fi: 'Laivat, jotka lähtevät satamasta aamulla, ovat takaisin ennen kuin on pimeä, mutta ei aina.',
  pl: 'Statki, które rano wychodzą z portu, są z powrotem przed nocą, ale nie zawsze.',
  cs: 'Lodě, které ráno vyplují z přístavu, jsou zpět ještě před nocí, ale ne vždy a ne když je bouře.',
  hu: 'A hajók, amelyek reggel elhagyják a kikötőt, még sötétedés előtt visszaérnek, de nem mindig.',
  ro: 'Navele care pleacă din port dimineața se întorc înainte de noapte, dar nu și pe furtună.',
  tr: 'Sabah limandan çıkan gemiler hava kararmadan önce geri döner, ama her zaman değil, çünkü bu çok zor.',
  ru: 'Корабли, которые утром выходят из порта, возвращаются до того, как станет темно.',
  uk: 'Кораблі, які вранці виходять із порту, повертаються до того, як стане темно, але не завжди.',
  el: 'Τα πλοία που φεύγουν από το λιμάνι το πρωί είναι πίσω πριν από τη νύχτα.',
  id: 'Kapal yang keluar dari pelabuhan pada pagi hari akan kembali sebelum malam, tetapi tidak selalu.',
  ar: 'السفن التي تغادر من الميناء في الصباح تعود إلى هنا قبل الليل',
  he: 'הספינות אשר יוצאות מן הנמל של העיר בבוקר חוזרות לפני הלילה, אבל לא כל יום',
  fa: 'کشتی ها که از بندر می روند تا شب به شهر باز می گردند و این را همه می دانند',
};

const counts = (text: string) => [...new Set(termsOf(text))].map((term) => [term, 1] as const);

test('a sentence is enough to tell a language', () => {
  for (const [language, text] of Object.entries(sentences))
    assert.equal(languageOf(counts(text)), language, text);
});

test('at least fifteen languages, each with fifty stop words or more', () => {
  assert.ok(knownLanguages.length >= 15);
  for (const language of knownLanguages) assert.ok(stopTerms(language).size >= 50, language);
  assert.equal(stopTerms('tlh').size, 0);
  assert.equal(stopTerms(undefined).size, 0);
});

test('no language where there are hardly any of its words', () => {
  assert.equal(languageOf(counts('0x7f mov eax ebx ret jmp 0x80 push pop nop int xor')), undefined);
  assert.equal(languageOf([]), undefined);
});

test('what a document declares holds, unless its words say otherwise', () => {
  const danish = sentences.da as string;
  assert.equal(languageOf(counts(danish), 'no-NO'), 'no');
  assert.equal(languageOf(counts(sentences.ru as string), 'en'), 'ru');
});
