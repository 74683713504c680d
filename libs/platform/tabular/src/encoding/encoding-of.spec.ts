import { Readable } from 'node:stream';
import iconv from 'iconv-lite';
import { heldBytes } from '../../../testing/src/growth';
import { decodedMarkup } from './decoded-markup';
import { decodedText, textOfBytes } from './decoded-text';
import { encodingOf, encodingOfBytes, sniffEncoding } from './encoding-of';
import { labelWithin } from './labels';

const GERMAN =
  'Die Hafenmeisterei beantwortet Fragen zu Liegeplätzen, Gebühren und Öffnungszeiten. Größere Boote benötigen einen Lotsen.\n';
const FRENCH =
  'La capitainerie répond aux questions sur les places, les frais et les horaires d’été. Où se trouve la crème brûlée de ma mère ?\n';
const SPANISH = '¿Cuánto cuesta la estación? El puerto está abierto todos los días, también en otoño, y el año próximo será más pequeño.\n';
const POLISH =
  'Kapitanat portu odpowiada na pytania o miejsca postojowe i opłaty. Łódź dłuższa niż dwanaście metrów potrzebuje pilota, który będzie się meldował każdego dnia.\n';
const CZECH = 'Přístavní kancelář odpovídá na dotazy o kotvištích a lodivodech každý den v týdnu. Žluťoučký kůň úpěl ďábelské ódy.\n';
const HUNGARIAN =
  'A kikötői iroda válaszol a kikötőhelyekről és díjakról szóló kérdésekre. Az árvíztűrő tükörfúrógép minden nap működik.\n';
const ROMANIAN =
  'Căpitănia portului răspunde la întrebări despre locuri de acostare şi taxe. Ambarcaţiunile mai lungi de doisprezece metri.\n';
const TURKISH =
  'Liman müdürlüğü bağlama yerleri ve ücretler hakkındaki soruları yanıtlar. Iğdır’dan gelen şişeler çok ağırdı, İzmir güzel.\n';
const RUSSIAN = 'Администрация порта отвечает на вопросы о причалах и сборах каждый день. Судам длиннее двенадцати метров нужен лоцман.\n';
const UKRAINIAN =
  'Адміністрація порту відповідає на запитання про причали та збори щодня. Їхні човни завдовжки дванадцять метрів потребують лоцмана.\n';
const BULGARIAN =
  'Пристанищната администрация отговаря на въпроси за местата и таксите всеки ден. Лодките над дванадесет метра имат нужда от лоцман.\n';
const GREEK = 'Το λιμεναρχείο απαντά σε ερωτήσεις για θέσεις ελλιμενισμού και τέλη κάθε μέρα. Σκάφη μεγαλύτερα από δώδεκα μέτρα.\n';
const HEBREW = 'משרד הנמל עונה על שאלות בנוגע למקומות עגינה ואגרות בכל יום. סירות ארוכות משנים עשר מטר זקוקות לנווט.\n';
const ARABIC = 'يجيب مكتب الميناء على الأسئلة المتعلقة بالأرصفة والرسوم كل يوم. تحتاج القوارب التي يزيد طولها عن اثني عشر مترا إلى مرشد.\n';
const THAI = 'สำนักงานท่าเรือตอบคำถามเกี่ยวกับที่จอดเรือและค่าธรรมเนียมทุกวัน เรือที่ยาวกว่าสิบสองเมตรต้องมีผู้นำร่อง\n';
const LITHUANIAN =
  'Uosto administracija kasdien atsako į klausimus apie švartavimosi vietas ir mokesčius. Ilgesniems nei dvylikos metrų laivams būtinas locmanas.\n';
const JAPANESE = '港湾事務所は毎日、係留場所と料金についての質問に答えます。十二メートルを超える船には水先案内人が必要です。\n';
const CHINESE = '港务局每天回答有关泊位和费用的问题。长度超过十二米的船只需要引航员，请提前一天登记。\n';
const TAIWAN = '港務局每天回答有關泊位和費用的問題。長度超過十二公尺的船隻需要引水人，請提前一天登記。\n';
const KOREAN = '항만 사무소는 매일 정박지와 요금에 대한 질문에 답변합니다. 길이가 12미터를 넘는 배는 도선사가 필요합니다.\n';

const LONG: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1252', GERMAN],
  ['windows-1252', FRENCH],
  ['windows-1252', SPANISH],
  ['windows-1250', POLISH],
  ['windows-1250', CZECH],
  ['windows-1250', HUNGARIAN],
  ['windows-1250', ROMANIAN],
  ['iso-8859-2', CZECH],
  ['iso-8859-2', POLISH],
  ['windows-1254', TURKISH],
  ['windows-1251', RUSSIAN],
  ['windows-1251', UKRAINIAN],
  ['windows-1251', BULGARIAN],
  ['koi8-r', RUSSIAN],
  ['ibm866', RUSSIAN],
  ['iso-8859-5', RUSSIAN],
  ['windows-1253', GREEK],
  ['windows-1255', HEBREW],
  ['windows-1256', ARABIC],
  ['windows-1257', LITHUANIAN],
  ['windows-874', THAI],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['gb18030', CHINESE],
  ['big5', TAIWAN],
  ['euc-kr', KOREAN],
  ['cp850', GERMAN],
  ['cp852', CZECH],
  ['macintosh', FRENCH],
  ['utf-16le', RUSSIAN],
  ['utf-16be', RUSSIAN],
  ['utf-16le', CHINESE],
  ['utf-16be', KOREAN],
  ['utf-16le', GERMAN],
  ['utf-8', THAI],
];

const SHORT: readonly (readonly [encoding: string, text: string])[] = [
  ['windows-1252', 'Name,Ort\r\nMöwe,Tönning\r\nJürgen,Köln\r\n'],
  ['windows-1252', 'Nom,Ville\r\nHélène,Besançon\r\nLoïc,Angoulême\r\n'],
  ['windows-1252', 'Nombre,Ciudad\r\nÍñigo,Logroño\r\nBegoña,Málaga\r\n'],
  ['windows-1252', 'Navn,By\r\nSøren,Ærø\r\nÅse,Tromsø\r\n'],
  ['windows-1252', 'Price,12 €\r\n“quoted” – don’t\r\n'],
  ['windows-1250', 'Jméno,Město\r\nJiří,Plzeň\r\nŘehoř,Třebíč\r\n'],
  ['windows-1250', 'Imię,Miasto\r\nŁukasz,Łódź\r\nMałgorzata,Wrocław\r\n'],
  ['windows-1250', 'Név,Város\r\nGyőző,Győr\r\nErzsébet,Szűcsi\r\n'],
  ['windows-1250', 'Nume,Oraş\r\nŞtefan,Timişoara\r\nIoniţă,Iaşi\r\n'],
  ['windows-1250', 'Ime,Grad\r\nŽeljko,Šibenik\r\nAnđelka,Čakovec\r\n'],
  ['windows-1254', 'Ad,Şehir\r\nAyşe,Iğdır\r\nİsmail,İstanbul\r\n'],
  ['windows-1251', 'Имя,Город\r\nИван,Москва\r\nОльга,Тверь\r\n'],
  ['koi8-r', 'Имя,Город\r\nИван,Москва\r\nОльга,Тверь\r\n'],
  ['ibm866', 'Имя,Город\r\nИван,Москва\r\nОльга,Тверь\r\n'],
  ['windows-1253', 'Όνομα,Πόλη\r\nΓιώργος,Αθήνα\r\nΜαρία,Πάτρα\r\n'],
  ['windows-1255', 'שם,עיר\r\nדוד,חיפה\r\nרחל,ירושלים\r\n'],
  ['windows-1256', 'الاسم,المدينة\r\nمحمد,القاهرة\r\nفاطمة,بغداد\r\n'],
  ['windows-874', 'ชื่อ,เมือง\r\nสมชาย,กรุงเทพ\r\nมาลี,เชียงใหม่\r\n'],
  ['shift_jis', '名前,年齢,住所\r\n港湾太郎,30,東京\r\n水先花子,25,大阪\r\n'],
  ['shift_jis', 'ﾃｽﾄ,ｶﾀｶﾅ\r\n田中,東京都\r\n'],
  ['euc-jp', '名前,年齢,住所\r\n港湾太郎,30,東京\r\n水先花子,25,大阪\r\n'],
  ['gb18030', '姓名,年龄,城市\r\n王小明,30,上海\r\n李丽,25,广州\r\n'],
  ['big5', '姓名,年齡,城市\r\n王小明,30,臺北\r\n陳美麗,25,高雄\r\n'],
  ['euc-kr', '이름,나이,도시\r\n김철수,30,서울\r\n박영희,25,부산\r\n'],
  ['cp850', 'Name,Ort\r\nMöwe,Tönning\r\nJürgen,Köln\r\n'],
  ['utf-16le', 'Имя,Город\r\nИван,Москва\r\n'],
  ['utf-16be', '名前,年齢\r\n太郎,30\r\n'],
  ['utf-8', '名前,年齢\r\n太郎,30\r\n'],
];

const read = (bytes: Uint8Array): string => textOfBytes(bytes, encodingOfBytes(bytes).encoding);

describe('the encoding of a text', () => {
  it.each(SHORT)('is found by three short rows: %s, %j', (encoding, text) => {
    const bytes = iconv.encode(text, encoding);
    expect(read(bytes)).toBe(text);
  });

  it.each(LONG)('is found by a text of three kilobytes: %s, %j', (encoding, text) => {
    const long = text.repeat(Math.ceil(3_000 / text.length));
    expect(read(iconv.encode(long, encoding))).toBe(long);
  });

  it.each(LONG)('is found by a single sentence: %s, %j', (encoding, text) => {
    expect(read(iconv.encode(text, encoding))).toBe(text);
  });

  it('is UTF-8 with one broken byte, which becomes one U+FFFD', () => {
    const text = GERMAN.repeat(3);
    const broken = Buffer.concat([Buffer.from(GERMAN), Buffer.of(0xff), Buffer.from(GERMAN.repeat(2))]);
    expect(read(broken)).toBe(`${GERMAN}\uFFFD${text.slice(GERMAN.length)}`);
    expect(read(Buffer.concat([Buffer.from('Tönning, Möwe, Grüße, Öl, Äpfel, Übung, süß, größer\n'), Buffer.of(0xc3)]))).toMatch(
      /größer\n\uFFFD$/,
    );
  });

  it.each(['Möwe, Tür, Öl ', 'Name: Möwe und Ende ', 'Zoë ', `The café of the harbour ${'is open at noon. '.repeat(50)}`])(
    'is UTF-8 with one broken byte beside few whole signs: %s',
    (text) => {
      for (const byte of [0xff, 0xe4])
        expect(read(Buffer.concat([Buffer.from(text), Buffer.of(byte), Buffer.from(' x')]))).toBe(`${text}\uFFFD x`);
    },
  );

  it('is decided by bytes that stand at the end of a long text, however it is cut into pieces', async () => {
    const text = `${'name,place\n'.repeat(30_000)}Möwe,Tönning\n`;
    const bytes = iconv.encode(text, 'windows-1252');
    for (const piece of [1_000, 65_536, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, at) => bytes.subarray(at * piece, (at + 1) * piece));
      expect(await encodingOf(pieces)).toEqual({ encoding: 'windows-1252', by: 'guess' });
    }
    const japanese = iconv.encode(JAPANESE.repeat(40), 'shift_jis');
    expect(await encodingOf([...japanese].map((byte) => Uint8Array.of(byte)))).toEqual({ encoding: 'shift_jis', by: 'guess' });
  });

  it('is known by a beginning that cuts a sign in two', async () => {
    const beginning = Buffer.from('Ümläute, ä').subarray(0, -1);
    expect(await sniffEncoding(beginning, false)).toBe('utf-8');
    expect(await sniffEncoding(iconv.encode('Příliš žluťoučký kůň', 'windows-1250'), true)).toBe('windows-1250');
  });

  it('does not take pieces of UTF-8 for broken where they are cut within a sign', async () => {
    const bytes = Buffer.from(CHINESE.repeat(20));
    expect(await encodingOf([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual({ encoding: 'utf-8', by: 'bytes' });
  });

  it('is the one that a label names as browsers read it, unless the bytes are UTF-8', () => {
    const page = iconv.encode('12 € – “Gäste” don’t', 'windows-1252');
    for (const label of ['iso-8859-1', 'us-ascii', 'Latin1', 'windows-1252', 'x-user-defined'])
      expect(encodingOfBytes(page, label)).toEqual({ encoding: 'windows-1252', by: 'label' });
    expect(encodingOfBytes(iconv.encode('Příliš', 'iso-8859-2'), 'latin2').encoding).toBe('iso-8859-2');
    expect(encodingOfBytes(Buffer.from('Gäste'), 'iso-8859-1').encoding).toBe('utf-8');
    expect(encodingOfBytes(page, 'utf-8').encoding).toBe('windows-1252');
    expect(encodingOfBytes(page, 'no-such-encoding').encoding).toBe('windows-1252');
  });

  it('is a mark of byte order before anything else, and zeros alone do not make it a wide one', () => {
    expect(encodingOfBytes(Buffer.from('\uFEFFähre', 'utf16le'), 'utf-8')).toEqual({ encoding: 'utf-16le', by: 'bytes' });
    expect(read(Buffer.from('a text with one zero\0 in it, and more words behind it'))).toBe(
      'a text with one zero\0 in it, and more words behind it',
    );
    expect(read(iconv.encode('wide words', 'utf-32le'))).toBe('wide words');
  });

  it('keeps little of a long text', async () => {
    const piece = iconv.encode(CZECH.repeat(2_000), 'windows-1250');
    const before = heldBytes();
    let held = Infinity;
    const pieces = (function* () {
      for (let at = 0; at < 60; at++) yield Buffer.from(piece);
      held = heldBytes() - before;
    })();
    expect((await encodingOf(pieces)).encoding).toBe('windows-1250');
    expect(held).toBeLessThan(piece.length * 5);
  });
});

describe('a text of DOS', () => {
  it('ends before the sign of its end, and keeps one in its middle', async () => {
    const decode = async (...pieces: readonly string[]): Promise<string> => {
      let text = '';
      for await (const piece of decodedText(Readable.from(pieces.map((piece) => Buffer.from(piece))), 'cp850')) text += piece;
      return text;
    };
    expect(await decode('a;b\n', '1;2\x1a', '\x1a\x1a')).toBe('a;b\n1;2');
    expect(await decode('a\x1a', 'b\x1a')).toBe('a\x1ab');
    expect(read(Buffer.from('Liegepl\x84tze und Geb\x81hren\n\x1a', 'latin1'))).toBe('Liegeplätze und Gebühren\n');
  });
});

describe('labels', () => {
  it('are found in markup, declarations of XML and style sheets, outside of comments', () => {
    const label = (text: string): string | undefined => labelWithin(Buffer.from(text, 'latin1'));
    expect(label('<meta charset="us-ascii">')).toBe('us-ascii');
    expect(label('<META http-equiv="Content-Type" content="text/html; charset=iso-8859-1">')).toBe('iso-8859-1');
    expect(label("<?xml version='1.0' encoding='ISO-8859-2'?><a/>")).toBe('ISO-8859-2');
    expect(label('@charset "koi8-r"; a {}')).toBe('koi8-r');
    expect(label('<!-- <meta charset="koi8-r"> --><meta charset=gbk>')).toBe('gbk');
    expect(label('<meta charset="utf-16">')).toBe('utf-8');
    expect(label('<p>charset=koi8-r</p>')).toBeUndefined();
  });

  it('of an answer go before those of its page', () => {
    const page = Buffer.concat([Buffer.from('<meta charset="koi8-r"><p>'), Buffer.of(0x80, 0xe4)]);
    expect(decodedMarkup(page, 'text/html; charset=ISO-8859-1')).toBe('<meta charset="koi8-r"><p>€ä');
    expect(decodedMarkup(page, 'text/html; charset=nonsense')).toBe('<meta charset="koi8-r"><p>─Д');
  });
});
