/** The texts of the pages. `{n}` and other names in braces are replaced by numbers and names. */
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
  lockedHint: 'Enter the requested details to open it.',
  password: 'Password',
  name: 'Your name',
  email: 'Your e-mail address',
  acceptTerms: 'I accept these terms',
  terms: 'Terms',
  open: 'Open',
  wrong: 'The password is incorrect.',
  throttled: 'Too many attempts. Wait a few minutes and try again.',
  incomplete: 'Please fill in all required fields.',
  gone: 'This link is no longer available',
  goneHint: 'Ask the person who sent it to you for a new link.',
  unknown: 'Page not found',
  unknownHint: 'Check that the address is complete.',
  refused: 'This link is not available here',
  refusedHint: 'It can be opened only in certain places.',
  busy: 'One moment, please',
  busyHint: 'This page cannot be shown right now. Try again shortly.',
  approve: 'Approve',
  reject: 'Reject',
  approved: 'Approved',
  rejected: 'Rejected',
  uploadHint: 'Your files are sent directly to {name}. Other visitors cannot see them.',
  drop: 'Drop files here',
  choose: 'Choose files',
  needsScript: 'To send files, turn on JavaScript in your browser.',
  upTo: 'Up to {size} each',
  left: 'You can add {n} more files',
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
  thanksHint: 'All files have arrived. You can add more or close this page.',
  kiosk: 'Set up this device',
  kioskHint: 'Enter the password once. Guests can then add files on this device.',
  activate: 'Start',
  done: 'Done',
  arrived: 'Your files have arrived.',
  next: 'Ready for the next guest in {n} s',
  begin: 'Start over',
  startsOver: 'Starts over in {n} s',
  harmful: 'Programs, scripts and documents with macros are not accepted, because they could harm the people who open them.',
  footer: 'Shared with Atrium',
  from: 'Shared by {name}',
  downloadsLeft: '{n} downloads left',
  picked: '{n} selected',
  clear: 'Clear selection',
  downloadPicked: 'Download selected',
  pickFirst: 'Select files first.',
  choose1: 'Select',
  chooseFile: 'Select {name}',
  downloadFile: 'Download {name}',
  previous: 'Previous file',
  next1: 'Next file',
  making: 'Preparing previews',
  soon: 'In preparation',
  reload: 'Previews are being prepared. Reload the page in a moment to see them.',
  kioskUploadHint: 'Add your files here. Other guests cannot see them.',
};

const de: Words = {
  files: '{n} Dateien',
  file: '1 Datei',
  until: 'Verfügbar bis {date}',
  downloadAll: 'Alle herunterladen',
  download: 'Herunterladen',
  back: 'Alle Dateien',
  more: 'Mehr anzeigen',
  empty: 'Noch keine Dateien',
  emptyHint: 'Dateien erscheinen hier, sobald sie hinzugefügt wurden.',
  lockedTitle: 'Dieser Link ist geschützt',
  lockedHint: 'Geben Sie die angeforderten Angaben ein, um ihn zu öffnen.',
  password: 'Passwort',
  name: 'Ihr Name',
  email: 'Ihre E-Mail-Adresse',
  acceptTerms: 'Ich stimme diesen Bedingungen zu',
  terms: 'Bedingungen',
  open: 'Öffnen',
  wrong: 'Das Passwort ist falsch.',
  throttled: 'Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es dann erneut.',
  incomplete: 'Bitte füllen Sie alle Pflichtfelder aus.',
  gone: 'Dieser Link ist nicht mehr verfügbar',
  goneHint: 'Bitten Sie die Person, von der Sie ihn erhalten haben, um einen neuen Link.',
  unknown: 'Seite nicht gefunden',
  unknownHint: 'Prüfen Sie bitte, ob die Adresse vollständig ist.',
  refused: 'Dieser Link ist hier nicht verfügbar',
  refusedHint: 'Er kann nur an bestimmten Orten geöffnet werden.',
  busy: 'Einen Moment bitte',
  busyHint: 'Diese Seite kann gerade nicht angezeigt werden. Bitte versuchen Sie es gleich noch einmal.',
  approve: 'Freigeben',
  reject: 'Ablehnen',
  approved: 'Freigegeben',
  rejected: 'Abgelehnt',
  uploadHint: 'Ihre Dateien werden direkt an {name} gesendet. Andere Gäste können sie nicht sehen.',
  drop: 'Dateien hier ablegen',
  choose: 'Dateien auswählen',
  needsScript: 'Aktivieren Sie JavaScript in Ihrem Browser, um Dateien zu senden.',
  upTo: 'Bis zu {size} pro Datei',
  left: 'Sie können noch {n} Dateien hinzufügen',
  tags: 'Schlagwörter',
  tagsHint: 'Gruppe:Wert, durch Kommas getrennt',
  album: 'Album',
  allAlbums: 'Alle',
  waiting: 'Wartet',
  sending: 'Wird gesendet',
  finishing: 'Wird abgeschlossen',
  sent: 'Gesendet',
  failed: 'Nicht gesendet',
  retry: 'Erneut versuchen',
  tooLarge: 'Datei ist zu groß',
  thanks: 'Vielen Dank',
  thanksHint: 'Alle Dateien sind angekommen. Sie können weitere hinzufügen oder diese Seite schließen.',
  kiosk: 'Gerät einrichten',
  kioskHint: 'Geben Sie das Passwort einmal ein. Danach können Gäste auf diesem Gerät Dateien hinzufügen.',
  activate: 'Starten',
  done: 'Fertig',
  arrived: 'Ihre Dateien sind angekommen.',
  next: 'In {n} s bereit für den nächsten Gast',
  begin: 'Von vorn beginnen',
  startsOver: 'Neustart in {n} s',
  harmful: 'Programme, Skripte und Dokumente mit Makros werden nicht angenommen, weil sie beim Öffnen Schaden anrichten könnten.',
  footer: 'Geteilt mit Atrium',
  from: 'Geteilt von {name}',
  downloadsLeft: 'Noch {n} Downloads',
  picked: '{n} ausgewählt',
  clear: 'Auswahl aufheben',
  downloadPicked: 'Auswahl herunterladen',
  pickFirst: 'Wählen Sie zuerst Dateien aus.',
  choose1: 'Auswählen',
  chooseFile: '{name} auswählen',
  downloadFile: '{name} herunterladen',
  previous: 'Vorherige Datei',
  next1: 'Nächste Datei',
  making: 'Vorschaubilder werden erstellt',
  soon: 'Wird erstellt',
  reload: 'Vorschaubilder werden erstellt. Laden Sie die Seite in Kürze neu, um sie zu sehen.',
  kioskUploadHint: 'Fügen Sie hier Ihre Dateien hinzu. Andere Gäste können sie nicht sehen.',
};

const LANGUAGES: Readonly<Record<string, Words>> = { en, de };

/** The words in the language of a locale, else in English. */
export const wordsOf = (locale: string): Words => LANGUAGES[locale.split('-')[0]?.toLowerCase() ?? ''] ?? en;

export const fillText = (text: string, values: Readonly<Record<string, string | number>>): string =>
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
