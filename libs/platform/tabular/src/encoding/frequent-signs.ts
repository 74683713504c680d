/** Signs that make up most of any text of a language; which they are separates encodings of pairs, whose bytes overlap. */
const CHINESE =
  '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市眼体别处总才场师书比住员九笑性通目华报立马命张活难神数件安表原车白应路期叫死常提感金何更反合放做系计或司利受光王果亲界及今京务制解各任至清物台象记边共风战干接它许八特觉望直服毛林题建南度统色字请交爱让认算论百吃义科怎元社术结六功指思非流每青管夫连远资队跟带花快条院变联言权往展该领传近留红治决周保达办运武半候七必城父强步完革深区即求品士转量空甚众技轻程告江语英基派满式李息写呢识极令黄德收脸钱党倒未持取设始版双历越史商千片容研像找友孩站广改议形委早房音火际则首单据导影失拿网香似斯专石若兵弟谁校读志飞观争究包组造落视济喜离虽坏兴' +
  '姓名龄住址地址电话号码邮箱数量价格金额日期城市省县州港码头船员经理客户产品编号备注男女上海北京广州深圳天津重庆杭州南京武汉成都西安苏王李张刘陈杨赵黄周吴徐孙胡朱高林何郭罗谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余杜叶伟芳娜敏静丽军洋勇艳杰娟涛明超秀霞平刚桂英' +
  '這來國個說們為時會過對裡後麼沒於還發當無開見經頭動兩長樣現將與進實點種聲話兒問機給幾業間門東聽氣關並內產萬體別處總場師書員華報馬張難數車應親務領統記邊風戰許覺題請愛讓認論義術結連遠資隊帶條變聯權傳紅決達辦運強區轉眾輕語滿寫識極黃臉錢黨設雙歷廣議際則單據導網專誰讀飛觀爭組視濟離雖壞興龍灣臺灣臺北高雄電話號碼價額齡編備註陳楊趙吳孫許鄧韓馮葉劉鄭蕭' +
  '公司的我是在一有';
const JAPANESE =
  '日一国人年大十二本中長出三時行見月後前生五間上東四今金九入学高円子外八六下来気小七山話女北午百書先名川千水半男西電校語土木聞食車何南万毎白天母火右読友左休父雨会同事自社発者地業方新場員立開手力問代明動京目通言理体田主題意不作用度強公持野以思家世多正安院心界教文元重近考画海売知道集別物使品計死特私始朝運終台広住無真有口少町料工建空急止送切転研足究楽起着店病質待試族銀早映親験英医仕去味写字答夜音注帰古歌買悪図週室歩風紙黒花春赤青館屋色走秋夏習駅洋旅服夕借曜飲肉貸堂鳥飯勉冬昼茶弟牛魚兄犬妹姉漢' +
  '名前年齢住所性別氏番号数量価格金額日付電話郵便県市区町村東京大阪名古屋横浜神戸京都福岡札幌仙台広島千葉埼玉港湾船員水先案内佐藤鈴木高橋田中伊渡辺山本村小林加吉井松清池橋石前川後岡長谷近坂遠青福太西三藤原斉次郎花一美恵和幸子雄夫浩健誠隆直樹真由香株式会社部課長担当合計備考商品注文顧客円税込送料請求書最初行文章調';
const KANA_EXTRA = '々〆ヶー';
const KOREAN =
  '이다는의에을가고로한지하은사시를기도어서리자나아인과대스정해그있상부수전일보제주라조구장마들게요만년원우오비여성동안트계국면야음실경소으미회공신거용모중물내화연선적관와치당간생할된업학무재운분세개단방반였진유니명되습위금없강지입문등으며했까려러데네것후때또호남월민식처드교터직변체본두산속발달차결래배별영북출바합점목포각저손말요하름살임여통행종요초권김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구나진지' +
  '이름나이주소전화번호서울부산대구인천광주대전울산제주항구선원수량가격금액날짜도시직업회사안녕습니감합';

export interface SignsOfLanguage {
  readonly frequent: ReadonlySet<string>;
  /** Signs of syllables, which stand in every longer text of the language; in one of another language they are strange. */
  readonly syllables?: RegExp;
  /** Whether the encoding has put a sign among those of everyday use. */
  isUsual(lead: number, trail: number): boolean;
}

export const SIGNS: Readonly<Record<string, SignsOfLanguage>> = {
  shift_jis: { frequent: new Set(JAPANESE + KANA_EXTRA), syllables: /[\u3041-\u30fe]/, isUsual: (lead) => lead >= 0x88 && lead <= 0x98 },
  'euc-jp': { frequent: new Set(JAPANESE + KANA_EXTRA), syllables: /[\u3041-\u30fe]/, isUsual: (lead) => lead >= 0xb0 && lead <= 0xcf },
  gb18030: { frequent: new Set(CHINESE), isUsual: (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1 },
  'euc-kr': {
    frequent: new Set(KOREAN),
    syllables: /[\uac00-\ud7a3]/,
    isUsual: (lead, trail) => lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1,
  },
  big5: { frequent: new Set(CHINESE), isUsual: (lead) => lead >= 0xa4 && lead <= 0xc6 },
};
