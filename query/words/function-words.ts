import type { Language } from './languages.ts';

/** Function words by language (ISO 639-1), compiled for Garner from each language's closed word classes. */
export const functionWords = {
  en: `a about above after again against all also am an and any are as at be because been before being below between both
but by can could did do does doing down during each either else ever every few for from further had has have having he
her here hers him his how however i if in into is it its just may me might more most must my neither no nor not now of
off on once one only or other our ours out over own per same shall she should since so some such than that the their
theirs them then there these they this those through thus to too under until up upon us very was we were what when where
whether which while who whom whose why will with within without would yet you your yours`,
  de: `aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bin bis bist da damit dann
das dass dazu dein deine dem den denen der deren des dessen die dies diese diesem diesen dieser dieses doch dort du durch
ein eine einem einen einer eines er es euch euer etwas für gegen hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr
ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden jeder jedes jetzt kann kein keine keinem keinen keiner können
könnte man mehr mein meine mich mir mit muss müssen nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem
seinen seiner selbst sich sie sind so solche soll sollte sondern sonst über um und uns unser unter viel vom von vor war
waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder wird wir wo wurde wurden
zu zum zur zwar zwischen`,
  fr: `à afin ai ainsi après au aucun aussi autre autres aux avait avant avec avez avoir avons c car ce ceci cela celle
celles celui ces cet cette ceux chaque chez comme comment d dans de depuis des deux doit dont du elle elles en encore
entre est et étaient était été être eu eux fait faire fois font il ils j je jusque l la là le les leur leurs lors lorsque
lui m ma mais me même mêmes mes moins mon n ne ni non nos notre nous on ont ou où par parce pas pendant peu peut peuvent
plus plusieurs pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se sera seront ses si sinon
son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une vers voici voilà vos votre vous y`,
  es: `a al algo algún alguna algunas algunos ante antes aquel aquella aquellos aquí así aun aunque bajo bien cada casi
como con contra cual cuales cualquier cuando cuanto de del desde donde dos durante e el él ella ellas ellos en entre era
eran es esa esas ese eso esos esta está están estaba estas este esto estos fue fueron ha había han hasta hay la las le
les lo los luego más me menos mi mientras mis misma mismo muy nada ni no nos nosotros nuestra nuestro o os otra otras
otro otros para pero poco por porque pues puede pueden que qué quien quienes se sea según ser si sí sido siempre sin
sino sobre solo sólo son su sus tal también tan tanto te tiene tienen toda todas todo todos tras tu tus u un una unas
uno unos usted ustedes y ya yo`,
  it: `a ad agli ai al alla alle allo altra altre altri altro anche ancora avere aveva avevano c che chi ci ciò come con
contro cosa così cui da dagli dai dal dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dunque
e è ed era erano essa esse essere essi esso fa fino fra gli ha hanno ho i il in io l la le lei li lo loro lui ma me meno
mentre mi mia mio molto ne negli nei nel nella nelle nello no noi non nostra nostro o ogni oppure per perché però più
poi può qual quale quali quando quanto quella quelle quelli quello questa queste questi questo qui quindi se sei senza
si sia siamo sono sopra sotto sta stata stati stato su sua sue sugli sui sul sulla sulle sullo suo suoi tra tutta tutte
tutti tutto un una uno vi voi`,
  pt: `a à ainda além algum alguma algumas alguns ante antes ao aos apenas após aquela aquele aqueles aquilo as às assim
até cada com como contra da das de dela delas dele deles depois desde dessa desse desta deste do dos e é ela elas ele
eles em enquanto entre era eram essa essas esse esses esta está estão estas este estes eu foi foram há isso isto já la
lhe lhes lo mais mas me menos mesma mesmo meu minha muito na nas não nem nenhum nessa nesta neste no nos nós nossa nosso
num numa o onde os ou outra outras outro outros para pela pelas pelo pelos pode podem por porque pouco qual quando
quanto que quem são se seja sem sempre ser será seu seus si sido sob sobre só sua suas também tal tão te tem têm ter
teu toda todas todo todos tu tua tudo um uma umas uns você vocês`,
  nl: `aan achter al alle alleen als altijd ander andere anders bij binnen boven buiten daar daarom dan dat de deze die
dit doch doen dus dit door een en er ergens geen had hadden heb hebben heeft hem het hier hij hoe hun iets ik in indien
is ja je jij jou jullie kan kon kunnen maar me meer men met mij mijn moet moeten na naar naast niet niets nog nu of om
omdat onder ons ook op over sinds te tegen ten ter terwijl tot tussen u uit uw van vanaf vanuit veel via voor waar
waarbij waarom want waren was wat we weer wel welke werd werden wie wij wil worden wordt zal ze zelf zich zij zijn zo
zoals zonder zou zouden`,
  sv: `all alla allt än är att av bara bli blir blev både då dag de dem den denna deras dess dessa det detta dig din dina
ditt du där därför efter eftersom ej eller en ett från får för före genom ha hade han hans har hon honom hur här i icke
in ingen inget inom inte ja jag kan kom kunde man med mellan men mer mig min mitt mot mycket måste ned ni nu när någon
något några nej och också om oss på sedan sig sin sina sitt ska skall skulle som så sådan till under upp ur ut utan vad
var vara varför varje vars vem vi vid vilka vilken vilket vill väl åt över`,
  da: `ad af al alle allerede alt altså anden andet andre at blev blevet blive bliver da de dem den denne der deres det dette
dig din disse dog du efter eller en end er et for fordi fra få får før gennem ham han hans har havde have hen hende her
hos hun hvad hvem hver hvilke hvilken hvis hvor hvordan i igen ikke ind ingen intet jeg jer kan kun kunne man mange med
meget mellem men mere mig min mine mod ned nej noget nogle nok nu når og også om op os over på samme selv sig sin sine
skal skulle som så sådan til ud uden under var ved vi vil ville være været`,
  no: `alle andre at av bare begge ble bli blir blitt både da de dem den denne der deres det dette deg din disse du dere eller
en enn er et ett etter for fordi fra få får før gjennom ha hadde han hans har henne her hos hun hva hvem hver hvilke
hvilken hvis hvor hvordan i igjen ikke inn ingen ja jeg kan kun kunne man mange med meg meget mellom men mer min mine
mot må ned nei noe noen nok nå når og også om opp oss over på samme seg selv sin sine skal skulle slik som så til ut uten
under var ved vi vil ville være vært`,
  fi: `ei eivät eli emme en ennen entä että ette hän häntä he heidän heitä hänen ilman itse ja jo johon joka jokin joko
jonka jos joskus joten jota jotka jotta kaikki kanssa kautta keskellä koko koska kuin kuinka kuka kun kunnes kuten
kyllä lisäksi luona me meidän meille mihin mikä mikäli missä mitä miten mitkä moni mukaan mutta muut myös ne nämä
niiden niin niitä noin nuo nyt ole olemme olen olet oli olisi olivat olla on ovat paitsi pitää samalla se sen siellä
siis siitä sillä sinä sitä sitten tai tämä tämän tässä tätä te tuo tämän useita vaan vai vaikka vain varten vielä voi
voidaan voivat yli`,
  pl: `a aby albo ale ani aż bardzo bez bo być był była było były by ci cię co czy czyli dla do gdy gdyż gdzie go i ich
ile im inne innych iż ja jak jako jakie jako je jeden jednak jego jej jest jestem jeśli jeszcze już każdy kiedy kto
która które którego której który których którym lecz lub ma mają mi mnie może można mój my na nad nam nami nas nasz nie
nich nie nim niż no o od on ona one oni oraz po pod podczas poza przed przez przy są się skąd swoje ta tak taka takie
także tam te tego tej ten też to tu twój ty tych tylko tym u w we wam was wasz więc wszystkie wszystko z za zawsze ze
że`,
  cs: `a aby ale ani ano asi až bez bude budou by byl byla bylo byly být co což či další do ho i já jak jako je jeho její
jejich jen jenž ještě ji jich jím jiné již jsem jsi jsme jsou jste k kam každý kde kdo když ke která které kterého který
kteří ku má mají máte me mezi mi mít mně mohou moje může my na nad nám námi nás náš ne nebo než nic nich ním o od on ona
oni ono pak po pod podle pokud pouze pro proč proto protože před přes při s se si sice jsou své svůj ta tak také takže
tam tato te tedy ten tento této ti tím to toho tohle tom tomto tu tuto ty tyto u už v vám vás váš ve více však vy z za
zda ze že`,
  hu: `a abban ahhoz aki akkor ahol ahogy alatt által általában amely amelyek ami amíg amikor annak arra át az azért
azok azt azzal be bár belül benne csak de e ebben egy egyes egyéb egyik el ellen elő előtt én ennek erre es és ez ezek
ezen ezért ezt fel felé ha hanem hogy hogyan hol igen így ill illetve ilyen is itt jó ki kell kellett keresztül között
közül le legyen lehet lenne lesz lett ma maga már más meg még mely melyek mert mi míg mikor milyen minden mindig mint
mivel most nagy ne nekem nem nincs ő ők olyan ott össze pedig s saját sem semmi sok számára szemben szerint szinte
talán te tehát több ugyan úgy után utána vagy vagyis valaki valami van vannak való vele volt voltak volna`,
  ro: `a ai al ale alt alte altele am ar are arată aș asemenea așa asta astfel asupra ați au avea această acest acestea
aceasta acești acesta ca când care căci ce cel cele celor cei că chiar ci cine cu cum da dacă dar de deci decât deja
deși despre din după ea ei el ele este eu face fără fi fie fiecare fiind fost iar îi îl în înainte încât între întru
la le li lor lui mai mult mulți n ne nici niște noi nostru nu o or ori oricare pe pentru peste poate pot prin sa sau să
sale se sînt sunt spre sub sus și toate toți totul tot un una unde unei unele unor unui voi vor`,
  tr: `acaba ama ancak artık asla aslında az bana bazı belki ben beni benim bile bir biraz birçok biri birkaç birşey biz
bize bizi bizim böyle bu buna bundan bunlar bunu bunun burada çok çünkü da daha de defa değil diğer diye dolayı en fakat
gibi göre hangi hatta hem hep hepsi her hiç için ile ilgili ise işte kadar karşı kendi kendine kez ki kim mı mi mu mü
nasıl ne neden nerede niçin niye o olan olarak oldu olduğu olması olur on ona ondan onlar onu onun öyle oysa sadece
sanki sen siz sizin sonra şey şu şunu tarafından tüm üzere var ve veya ya yani yapılan yerine yine yok zaten`,
  ru: `а без более бы был была были было быть в вам вас ведь весь во вот все всё всегда всего всех вы где да даже для до
его ее её если есть еще ещё же за здесь и из или им их к каждый как какая какой ко когда которая которое которой которые
который которых кто куда ли либо между меня мне может можно мой мы на над надо нам нас не него нее нет ни них но ну о об
один однако он она они оно от очень перед по под после потому при про с сам себя со так также такие такой там те тем то
тогда того тоже той только том тот ты у уже хотя чего чей чем что чтобы эта эти этих это этого этой этом этот я`,
  uk: `а або адже але без би був була були було бути в вам вас весь ви від він вона вони воно все всі всіх від где для до
дуже за згідно з зі і із інших її їй їх й його йому коли кожен котрий крім куди лише має мене ми між може можна мій на
над нам нас не нею ні ніж них о один однак ось от перед під після по при про та так також там те тим то тоді того той
тому ти тільки у уже хто хоча це цей ці цього цьому ця чи через чого чому що щоб як яка яке який яких які якого якщо я`,
  el: `αλλά αν αντί από αργά αυτά αυτή αυτό αυτοί αυτός αυτού αυτών για γιατί δε δεν δια εάν εγώ εδώ είναι είμαι είτε εκεί
εκείνη εκείνο εκείνος εμείς ένα έναν ένας επειδή επί επίσης εσείς εσύ έτσι έχει έχουν ή η ήταν θα ίδια ίδιο ίδιος ίσως
και κάθε κάποιος κατά κι λοιπόν μα μας με μέσα μεταξύ μετά μέχρι μη μην μια μία μόνο μου να ο οι όμως όπου όπως ορισμένα
όσο όταν ότι ούτε όχι παρά περί πια πιο ποιος πολύ που πού πρέπει πριν προς πώς σαν σας σε στα στη στην στις στο στον
στους στων τα τη την της τι τις το τον τότε του τους τόσο των χωρίς ως ώστε`,
  id: `ada adalah adanya agar akan antara apa apabila atas atau bagai bagaimana bagi bahwa banyak baru beberapa belum
berbagai bila bisa boleh bukan cara cukup dalam dan dapat dari daripada dengan demikian di dia diri harus hanya hingga
ia ialah ini itu jadi jangan jika juga kalau kami kamu karena ke kemudian kepada ketika kita lagi lain lalu maka masih
mereka mungkin namun oleh pada para perlu pernah pula saat saja sambil sampai sangat saya sebab sebagai sebelum sebuah
secara sedang sejak selain selalu semua seorang seperti serta sesudah setelah setiap suatu sudah supaya tanpa tapi
telah tentang terhadap tersebut tetapi tiap tidak untuk yaitu yang`,
  ar: `أن أنه إلى إذا أو أي إن إنه بعد بعض بل بين تلك ثم حتى حول حيث دون ذلك سوف على عليه عن عند غير في فيه فيها قبل قد
كان كانت كل كما كيف لا لأن لدى لقد لكن لم لن له لها لهم لو ليس ما متى مثل مع من منذ منه منها نحن نفس نفسه هذا هذه هل
هم هنا هناك هو هي و وقد ولا ولم وهو وهي يا يكون`,
  he: `אבל או אז אחר אחרי אחת אין איך אך אל אלא אלה אם אנחנו אני אף את אתה אתם בין בלי בעל גם דרך הוא היא היה היו היתה הם
הן זאת זה זו יותר יש כאן כאשר כבר כדי כי כך כל כמה כמו כן לא לאחר לה לו לי לך להם לפי לפני לכן מה מי מן מאוד מתוך על
עד עוד עם עצמו פי רק של שלה שלו שלהם שם תוך תחת`,
  fa: `آن آنها از است اگر اما این اینکه با باشد باید بر برای بسیار بعد بود بودند به بی بین تا تر ترین توان توسط چرا چند
چه چون چیزی حتی خود خواهد در درباره دارد دارند داشت دیگر را روی زیرا سپس شد شده شود شوند کرد کردن کرده کنند کند که
کدام کسی ما مانند من می نه نیز نیست و هر هم همان همه همین هنوز هیچ وقتی یا یک`,
} satisfies Readonly<Partial<Record<Language, string>>>;
