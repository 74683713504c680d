/** What the pages say. `{n}` and the like stand for numbers and names. */
export interface Words {
  readonly files: string;
  readonly file: string;
  readonly until: string;
  readonly downloadAll: string;
  readonly download: string;
  readonly back: string;
  readonly more: string;
  readonly empty: string;
  readonly emptyHint: string;
  readonly lockedTitle: string;
  readonly lockedHint: string;
  readonly password: string;
  readonly name: string;
  readonly email: string;
  readonly acceptTerms: string;
  readonly terms: string;
  readonly open: string;
  readonly wrong: string;
  readonly throttled: string;
  readonly incomplete: string;
  readonly gone: string;
  readonly goneHint: string;
  readonly unknown: string;
  readonly unknownHint: string;
  readonly refused: string;
  readonly refusedHint: string;
  readonly busy: string;
  readonly busyHint: string;
  readonly approve: string;
  readonly reject: string;
  readonly approved: string;
  readonly rejected: string;
  readonly uploadHint: string;
  readonly drop: string;
  readonly choose: string;
  readonly needsScript: string;
  readonly upTo: string;
  readonly left: string;
  readonly tags: string;
  readonly tagsHint: string;
  readonly album: string;
  readonly allAlbums: string;
  readonly waiting: string;
  readonly sending: string;
  readonly finishing: string;
  readonly sent: string;
  readonly failed: string;
  readonly retry: string;
  readonly tooLarge: string;
  readonly thanks: string;
  readonly thanksHint: string;
  readonly kiosk: string;
  readonly kioskHint: string;
  readonly activate: string;
  readonly done: string;
  readonly arrived: string;
  readonly next: string;
  readonly begin: string;
  readonly startsOver: string;
  readonly harmful: string;
  readonly from: string;
  readonly downloadsLeft: string;
  readonly picked: string;
  readonly clear: string;
  readonly downloadPicked: string;
  readonly pickFirst: string;
  readonly choose1: string;
  readonly chooseFile: string;
  readonly downloadFile: string;
  readonly previous: string;
  readonly next1: string;
  readonly making: string;
  readonly soon: string;
  readonly reload: string;
  readonly kioskUploadHint: string;
  readonly footer: string;
}

const en: Words = {
  files: '{n} files',
  file: '1 file',
  until: 'Available until {date}',
  downloadAll: 'Download all',
  download: 'Download',
  back: 'All files',
  more: 'Show more',
  empty: 'Nothing here yet',
  emptyHint: 'Files will appear here as soon as they are added.',
  lockedTitle: 'This link is protected',
  lockedHint: 'Enter what you were given to see it.',
  password: 'Password',
  name: 'Your name',
  email: 'Your e-mail address',
  acceptTerms: 'I accept these terms',
  terms: 'Terms',
  open: 'Open',
  wrong: 'That password is not right.',
  throttled: 'Too many tries. Wait a few minutes before the next one.',
  incomplete: 'Please fill in what is missing.',
  gone: 'This link is not available any more',
  goneHint: 'Ask whoever sent it to you for a new one.',
  unknown: 'There is nothing here',
  unknownHint: 'Check that you have the whole address.',
  refused: 'This link is not open to you here',
  refusedHint: 'It is offered in some places only.',
  busy: 'One moment, please',
  busyHint: 'This can not be served right now. Try again shortly.',
  approve: 'Approve',
  reject: 'Reject',
  approved: 'Approved',
  rejected: 'Rejected',
  uploadHint: 'Your files go straight to {name}. Nobody else sees them here.',
  drop: 'Drop files here',
  choose: 'Choose files',
  needsScript: 'Sending files needs JavaScript in your browser.',
  upTo: 'Up to {size} each',
  left: '{n} more files welcome',
  tags: 'Tags',
  tagsHint: 'Group:Value, separated by commas',
  album: 'Album',
  allAlbums: 'All',
  waiting: 'Waiting',
  sending: 'Sending',
  finishing: 'Finishing',
  sent: 'Sent',
  failed: 'Not sent',
  retry: 'Try again',
  tooLarge: 'Larger than allowed',
  thanks: 'Thank you',
  thanksHint: 'Everything has arrived. You can add more files or close this page.',
  kiosk: 'Set up this device',
  kioskHint: 'Enter the password once; guests can then add files from here.',
  activate: 'Start',
  done: 'Done',
  arrived: 'Your files have arrived.',
  next: 'Ready for the next guest in {n} s',
  begin: 'Start over',
  startsOver: 'Starts over in {n} s',
  harmful: 'Programs, scripts and documents with macros are not taken here: they could harm whoever opens them.',
  footer: 'Shared with Atrium',
  from: 'Shared by {name}',
  downloadsLeft: '{n} downloads left',
  picked: '{n} chosen',
  clear: 'Clear',
  downloadPicked: 'Download chosen',
  pickFirst: 'Choose some files first.',
  choose1: 'Choose',
  chooseFile: 'Choose {name}',
  downloadFile: 'Download {name}',
  previous: 'Previous file',
  next1: 'Next file',
  making: 'Preparing previews',
  soon: 'Being prepared',
  reload: 'Previews are being prepared. Reload the page in a moment to see them.',
  kioskUploadHint: 'Add your files here. Whoever comes after you does not see them.',
};

const de: Words = {
  files: '{n} Dateien',
  file: '1 Datei',
  until: 'Verfügbar bis {date}',
  downloadAll: 'Alle herunterladen',
  download: 'Herunterladen',
  back: 'Alle Dateien',
  more: 'Mehr anzeigen',
  empty: 'Noch nichts hier',
  emptyHint: 'Dateien erscheinen hier, sobald sie hinzugefügt sind.',
  lockedTitle: 'Dieser Link ist geschützt',
  lockedHint: 'Geben Sie ein, was Sie erhalten haben.',
  password: 'Passwort',
  name: 'Ihr Name',
  email: 'Ihre E-Mail-Adresse',
  acceptTerms: 'Ich stimme diesen Bedingungen zu',
  terms: 'Bedingungen',
  open: 'Öffnen',
  wrong: 'Das Passwort stimmt nicht.',
  throttled: 'Zu viele Versuche. Warten Sie einige Minuten.',
  incomplete: 'Bitte ergänzen Sie, was fehlt.',
  gone: 'Dieser Link ist nicht mehr verfügbar',
  goneHint: 'Bitten Sie um einen neuen.',
  unknown: 'Hier ist nichts',
  unknownHint: 'Prüfen Sie, ob die Adresse vollständig ist.',
  refused: 'Dieser Link steht Ihnen hier nicht offen',
  refusedHint: 'Er wird nur an einigen Orten angeboten.',
  busy: 'Einen Moment, bitte',
  busyHint: 'Das geht gerade nicht. Versuchen Sie es gleich noch einmal.',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  approved: 'Freigegeben',
  rejected: 'Abgelehnt',
  uploadHint: 'Ihre Dateien gehen direkt an {name}. Niemand sonst sieht sie hier.',
  drop: 'Dateien hierher ziehen',
  choose: 'Dateien wählen',
  needsScript: 'Zum Senden braucht Ihr Browser JavaScript.',
  upTo: 'Je bis {size}',
  left: 'Noch {n} Dateien willkommen',
  tags: 'Schlagwörter',
  tagsHint: 'Gruppe:Wert, durch Kommas getrennt',
  album: 'Album',
  allAlbums: 'Alle',
  waiting: 'Wartet',
  sending: 'Wird gesendet',
  finishing: 'Wird abgeschlossen',
  sent: 'Gesendet',
  failed: 'Nicht gesendet',
  retry: 'Noch einmal',
  tooLarge: 'Größer als erlaubt',
  thanks: 'Vielen Dank',
  thanksHint: 'Alles ist angekommen. Sie können weitere Dateien hinzufügen oder die Seite schließen.',
  kiosk: 'Gerät einrichten',
  kioskHint: 'Geben Sie das Passwort einmal ein; danach können Gäste hier Dateien hinzufügen.',
  activate: 'Starten',
  done: 'Fertig',
  arrived: 'Ihre Dateien sind angekommen.',
  next: 'In {n} s bereit für den nächsten Gast',
  begin: 'Neu beginnen',
  startsOver: 'Beginnt neu in {n} s',
  harmful: 'Programme, Skripte und Dokumente mit Makros werden hier nicht angenommen: Sie könnten schaden, wenn man sie öffnet.',
  footer: 'Geteilt mit Atrium',
  from: 'Geteilt von {name}',
  downloadsLeft: 'Noch {n} Downloads',
  picked: '{n} ausgewählt',
  clear: 'Aufheben',
  downloadPicked: 'Auswahl herunterladen',
  pickFirst: 'Wählen Sie zuerst Dateien aus.',
  choose1: 'Auswählen',
  chooseFile: '{name} auswählen',
  downloadFile: '{name} herunterladen',
  previous: 'Vorherige Datei',
  next1: 'Nächste Datei',
  making: 'Vorschauen werden vorbereitet',
  soon: 'In Vorbereitung',
  reload: 'Vorschauen werden vorbereitet. Laden Sie die Seite gleich noch einmal.',
  kioskUploadHint: 'Fügen Sie hier Ihre Dateien hinzu. Wer nach Ihnen kommt, sieht sie nicht.',
};

const LANGUAGES: Readonly<Record<string, Words>> = { en, de };

/** The words in the language of a locale, else in English. */
export const wordsOf = (locale: string): Words => LANGUAGES[locale.split('-')[0]?.toLowerCase() ?? ''] ?? en;

export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
const STEP = 1_000;

/** A size as people read it. */
export function sizeOf(bytes: number, locale: string): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${new Intl.NumberFormat(safe(locale), { maximumFractionDigits: power > 1 ? 1 : 0 }).format(bytes / STEP ** power)} ${UNITS[power]}`;
}

export const dateOf = (at: Date | string, locale: string): string =>
  new Intl.DateTimeFormat(safe(locale), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at));

function safe(locale: string): string {
  try {
    return Intl.getCanonicalLocales(locale)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
