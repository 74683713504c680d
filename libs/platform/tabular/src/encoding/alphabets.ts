/** A language as a single-byte encoding writes it. */
export interface Alphabet {
  /** Its letters beyond ASCII, the most frequent first; in lower case where it has cases. */
  readonly letters: string;
  /** Frequent words in ASCII letters: they say which language it is where a letter could be of several. */
  readonly words?: string;
  /** Bits that its readings cost because few write it. */
  readonly rare?: number;
}

const WESTERN: readonly Alphabet[] = [
  {
    letters: 'üäöß',
    words: 'der die und den von das mit ist des im dem nicht ein eine auf sich auch als bei nach werden wird am zum zur oder',
  },
  {
    letters: 'éèàêçôâîùûïëœüÿæ',
    words: 'le la les des et en un une du que est pour dans par sur au pas qui avec ce il sont plus ou nous vous',
  },
  { letters: 'óíáéñúü', words: 'de la que el en y los del se las por un para con no una su al es lo como o pero sus desde' },
  { letters: 'ãçáéóíõêúâàôü', words: 'de que e do da em um para com uma os no se na por mais as dos como mas ao das ou nas pelo pela' },
  { letters: 'àèòùéìî', words: 'di che e il la per un in del si della con non una sono da le dei al nel gli anche ogni alla' },
  { letters: 'ëéïèöü', words: 'de van het een en in is dat op te zijn voor met die niet aan er om ook als bij naar uit wordt' },
  { letters: 'äåöéü', words: 'och att det i en som av med till den har de inte om ett var jag vi kan ska eller vid alla' },
  { letters: 'øåæéòóüö', words: 'og i det er en til som av at for med de den har ikke et var om jeg vi kan skal fra eller af ved alle' },
  { letters: 'äöåšž', words: 'ja on ei se oli ovat tai kun mutta voi joka sen niin jos vain ovat kuin myös' },
  { letters: 'íáðþéöúóæý', words: 'og er sem um til af ekki eru var en hann hafa vera fyrir', rare: 8 },
  { letters: 'éàóíçèòúïü', words: 'de la que el en i els per les del una amb un als es no com al dels' },
];
const CENTRAL: readonly Alphabet[] = [
  { letters: 'íáéěřčžýšůúňťďó', words: 'se na je ve do od pro ale jako po za by nebo jsou jak ze bude byl tak kdo jeho den' },
  { letters: 'áíéčžýšúľťôňďóäŕĺ', words: 'sa na je vo do od pre ale ako po za by alebo ktor ktor jeho bude bol tak den len' },
  { letters: 'łęóżąśćńź', words: 'w i na z do nie jest od za o po przez ale jak dla oraz tak ma co lub przy jego czy dnia' },
  { letters: 'áéőöóíüúű', words: 'a az egy hogy nem is meg ez van vagy volt csak mint de ha el ezt minden nap' },
  { letters: 'ăîâşţșț', words: 'de la cu un o pe din care se nu este sunt mai pentru sau prin al ale lui pentru' },
  { letters: 'čšžćđ', words: 'je se na za da su od koji do ne kao iz ili ali po bio biti u i s' },
  { letters: 'üäöß', words: 'der die und den von das mit ist des im dem nicht ein eine auf sich auch als bei nach werden wird' },
  { letters: 'ëç', words: 'dhe e i nga me se nuk ka do si per' },
];
const BALTIC: readonly Alphabet[] = [
  { letters: 'ėšžųįčūąę', words: 'ir yra kad su tai nuo bet kaip jau po ar buvo savo iki' },
  { letters: 'āīēšņļūģķčž', words: 'un ir par ar no kas vai uz bet arī tika pie lai var' },
  { letters: 'äõüöšž', words: 'ja on ei see ka oli mis et kui aga oma ning' },
  { letters: 'łęóżąśćńź', words: 'w i na z do nie jest od za o po przez' },
];
const CYRILLIC: readonly Alphabet[] = [
  { letters: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё' },
  { letters: 'оаниівтерслкдмупязьгбчхйїжюшцщєфґ' },
  { letters: 'аоиетнрсвлкпдмязгубчъцжщшюхйфь' },
  { letters: 'аиоенсртјвукдмлпбзгчћшжцхљњђфџ' },
  { letters: 'аіныоерстлвкдпмуязцбьячйгжўшюхёфэ' },
  { letters: 'аоиетнрсвлкпдмузгјбшчцжќѓњѕљџх' },
];
const GREEK: readonly Alphabet[] = [{ letters: 'ατοιεσνρκπυηλμςάίόέθδγχήφώβξύζψϊϋΐΰ' }];
const TURKISH: readonly Alphabet[] = [
  { letters: 'ıüşçğöiâîû', words: 've bir bu da de ile olan olarak daha en gibi kadar ne o var ya veya her' },
];
const HEBREW: readonly Alphabet[] = [{ letters: 'יוהלאמרתבשנםחדכעקפסטגצזןםץךף' }];
const ARABIC: readonly Alphabet[] = [{ letters: 'اليمنرتبةعدسفهكقأحجشصطخىئذإضزثغءؤآظًَُِّْ' }, { letters: 'اینردهمتوبسشکزگفلپقخعجچحصژطغئآضذثظ' }];
const THAI: readonly Alphabet[] = [{ letters: 'านรอก่เง้ยมลัวดทีสติะบคหไปแชำพุขจู็ใธโศผซณ์ืึถฐๆญฉฟฝภฯษฎฏฑฒฮฆฬ' }];
const VIETNAMESE: readonly Alphabet[] = [{ letters: '\u0301\u0323\u0300đươâôêăáà\u0309\u0303ãéèíìúùóò' }];

export interface SingleByteEncoding {
  readonly name: string;
  readonly alphabets: readonly Alphabet[];
  /** Bits that a reading costs because few write so. */
  readonly rare: number;
}

export const SINGLE_BYTE_ENCODINGS: readonly SingleByteEncoding[] = [
  { name: 'windows-1252', alphabets: WESTERN, rare: 0 },
  { name: 'windows-1250', alphabets: CENTRAL, rare: 4 },
  { name: 'windows-1251', alphabets: CYRILLIC, rare: 2 },
  { name: 'windows-1253', alphabets: GREEK, rare: 3 },
  { name: 'windows-1254', alphabets: TURKISH, rare: 3 },
  { name: 'windows-1255', alphabets: HEBREW, rare: 4 },
  { name: 'windows-1256', alphabets: ARABIC, rare: 4 },
  { name: 'windows-1257', alphabets: BALTIC, rare: 4 },
  { name: 'windows-1258', alphabets: VIETNAMESE, rare: 8 },
  { name: 'windows-874', alphabets: THAI, rare: 3 },
  { name: 'koi8-r', alphabets: CYRILLIC.slice(0, 1), rare: 4 },
  { name: 'koi8-u', alphabets: CYRILLIC.slice(1, 2), rare: 5 },
  { name: 'iso-8859-2', alphabets: CENTRAL, rare: 5 },
  { name: 'iso-8859-5', alphabets: CYRILLIC, rare: 6 },
  { name: 'iso-8859-6', alphabets: ARABIC, rare: 6 },
  { name: 'iso-8859-7', alphabets: GREEK, rare: 5 },
  { name: 'iso-8859-15', alphabets: WESTERN, rare: 6 },
  { name: 'cp850', alphabets: WESTERN, rare: 6 },
  { name: 'cp437', alphabets: WESTERN, rare: 7 },
  { name: 'cp852', alphabets: CENTRAL, rare: 8 },
  { name: 'cp857', alphabets: TURKISH, rare: 8 },
  { name: 'ibm866', alphabets: CYRILLIC.slice(0, 3), rare: 5 },
  { name: 'cp737', alphabets: GREEK, rare: 8 },
  { name: 'macintosh', alphabets: WESTERN, rare: 7 },
  { name: 'x-mac-cyrillic', alphabets: CYRILLIC.slice(0, 3), rare: 8 },
];
