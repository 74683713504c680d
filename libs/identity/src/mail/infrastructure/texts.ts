import type { MailTemplate } from '../domain/mailer';
import type { MailText, Phrases } from './mail-text';
import { PUBLISHING_PHRASES, PUBLISHING_TEXTS } from './publishing-texts';

type Texts = Readonly<Record<MailTemplate, MailText>>;

const en: Texts = {
  ...PUBLISHING_TEXTS.en,
  invitation: {
    subject: 'You are invited to join {{ws_name}}',
    lines: ['{{inviter}} has invited you to join {{ws_name}}.', 'The invitation can be used once and expires at {{expires}}.'],
    action: { label: 'Accept the invitation', link: '{{link}}' },
    note: 'If you did not expect this invitation, you can ignore this email.',
  },
  password_reset: {
    subject: 'Reset your password',
    lines: ['We received a request to reset your password.', 'The link can be used once and expires in {{minutes}} minutes.'],
    action: { label: 'Set a new password', link: '{{link}}' },
    note: 'If you did not request this, you can ignore this email. Your password stays the same.',
  },
  email_confirmation: {
    subject: 'Confirm your e-mail address',
    lines: ['Confirm that you want to sign in with {{email}} from now on.'],
    action: { label: 'Confirm the address', link: '{{link}}' },
    note: 'If you did not request this, you can ignore this email. Nothing changes until the address is confirmed.',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    lines: [
      'You now sign in with {{email}} instead of the address this email was sent to.',
      'If you made this change, you do not need to do anything.',
      'If you did not, use the link below to recover your account. It restores this address, lets you set a new password and signs out all sessions. It expires in {{days}} days.',
    ],
    action: { label: 'Recover my account', link: '{{link}}' },
    note: 'You are receiving this email because this was the address of your account.',
  },
  session_reuse: {
    subject: 'One of your sessions was signed out',
    lines: [
      'At {{when}}, a token of your session that was no longer valid was used again from the IP address {{address}}.',
      'Someone may have copied it, so we signed out the session. Please sign in again.',
    ],
    note: 'If you do not recognize this activity, change your password.',
  },
  key_expiring: {
    subject: 'The API key {{key_name}} expires soon',
    lines: [
      'The key {{key_name}} ({{key_prefix}}) in {{ws_name}} expires at {{expires}}.',
      'Rotate it or create a new key before then, so that the applications that use it keep working.',
    ],
    note: 'You are receiving this email because you own the key.',
  },
  key_leaked: {
    subject: 'The API key {{key_name}} was leaked and revoked',
    lines: [
      'The key {{key_name}} ({{key_prefix}}) in {{ws_name}} was found in a public place and reported to us.',
      'We revoked it immediately. Create a new key for the applications that used it, and check the access log for requests made with it.',
    ],
    note: 'You are receiving this email because you own the key or administer the workspace.',
  },
  file_status: {
    subject: '{{files}}: {{state}}',
    lines: ['{{mover}} changed the status of {{files}} in {{ws_name}} to {{state}}.', '{{comment}}'],
    note: 'You are receiving this email because the status flow of the workspace notifies you of this change.',
  },
  object_state: {
    subject: '{{object}}: {{state}}',
    lines: ['{{mover}} moved {{object}} in {{ws_name}} to the state {{state}}.', '{{comment}}'],
    note: 'You are receiving this email because a lifecycle flow of the workspace notifies you of this change.',
  },
  approval_requested: {
    subject: 'Approval requested: {{subject}}',
    lines: [
      '{{requester}} requests your approval for {{subject}} in {{ws_name}}. Transition: {{transition}}.',
      '{{comment}}',
      'Your decision applies to the content as it was when approval was requested.',
    ],
    note: 'You are receiving this email because an approval flow of the workspace names you as an approver.',
  },
  approval_closed: {
    subject: 'Approval {{what}}: {{subject}}',
    lines: ['Your request to approve {{subject}} in {{ws_name}} was {{what}}. Transition: {{transition}}.', '{{comment}}'],
    note: 'You are receiving this email because you requested the approval.',
  },
  approval_stalled: {
    subject: 'No approver left: {{subject}}',
    lines: [
      'The request to approve {{subject}} in {{ws_name}} is open, but no one is left who can approve it. Transition: {{transition}}.',
      'Name other approvers in the approval flow, then withdraw the request and request approval again.',
    ],
    note: 'You are receiving this email because you requested the approval or are a contact for this content.',
  },
  approval_moved: {
    subject: '{{subject}}: {{state}}',
    lines: ['{{mover}} moved {{subject}} in {{ws_name}} to the state {{state}}.', '{{comment}}'],
    note: 'You are receiving this email because an approval flow of the workspace notifies you of this change.',
  },
  file_quarantined: {
    subject: 'Quarantined: {{files}}',
    lines: [
      'Quarantined in {{ws_name}}: {{files}}. Reason: {{reason}}.',
      'Quarantined files cannot be downloaded until an administrator of the workspace releases them.',
    ],
    note: 'You are receiving this email because you added the file.',
  },
  share_link: {
    subject: '{{sharer}} shared {{share_name}} with you',
    lines: ['{{sharer}} from {{ws_name}} shared {{share_name}} with you.', '{{message}}'],
    action: { label: 'Open', link: '{{link}}' },
    note: 'Anyone with this link can open it. Pass it on only to the people it is intended for.',
  },
  share_uploads: {
    subject: 'New files for {{share_name}}',
    lines: ['New files received through your link {{share_name}} in {{ws_name}}: {{count}}.', 'From: {{from}}'],
    note: 'You are receiving this email because you created the link.',
  },
  share_expiring: {
    subject: 'Your link {{share_name}} expires soon',
    lines: ['Your link {{share_name}} in {{ws_name}} expires at {{expires}}.', 'To keep it available, set a later expiry.'],
    note: 'You are receiving this email because you created the link.',
  },
  share_administered: {
    subject: 'An administrator changed your link {{share_name}}',
    lines: ['Your link {{share_name}} in {{ws_name}} was {{what}} by an administrator.'],
    note: 'You are receiving this email because you created the link.',
  },
};

const de: Texts = {
  ...PUBLISHING_TEXTS.de,
  invitation: {
    subject: 'Einladung zu {{ws_name}}',
    lines: ['{{inviter}} hat Sie zu {{ws_name}} eingeladen.', 'Die Einladung kann einmal verwendet werden und ist bis {{expires}} gültig.'],
    action: { label: 'Einladung annehmen', link: '{{link}}' },
    note: 'Falls Sie diese Einladung nicht erwartet haben, können Sie diese E-Mail ignorieren.',
  },
  password_reset: {
    subject: 'Passwort zurücksetzen',
    lines: [
      'Für Ihr Konto wurde ein neues Passwort angefordert.',
      'Der Link kann einmal verwendet werden und ist {{minutes}} Minuten gültig.',
    ],
    action: { label: 'Neues Passwort festlegen', link: '{{link}}' },
    note: 'Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt unverändert.',
  },
  email_confirmation: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lines: ['Bitte bestätigen Sie, dass Sie sich künftig mit {{email}} anmelden möchten.'],
    action: { label: 'Adresse bestätigen', link: '{{link}}' },
    note: 'Falls Sie das nicht angefordert haben, können Sie diese E-Mail ignorieren. Ohne Bestätigung ändert sich nichts.',
  },
  email_changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    lines: [
      'Sie melden sich ab sofort mit {{email}} an und nicht mehr mit der Adresse, an die diese E-Mail gesendet wurde.',
      'Wenn Sie die Änderung selbst vorgenommen haben, brauchen Sie nichts weiter zu tun.',
      'Andernfalls können Sie Ihr Konto über den folgenden Link wiederherstellen: Er setzt diese Adresse wieder ein, lässt Sie ein neues Passwort festlegen und meldet alle Sitzungen ab. Er ist {{days}} Tage gültig.',
    ],
    action: { label: 'Konto wiederherstellen', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil dies die Adresse Ihres Kontos war.',
  },
  session_reuse: {
    subject: 'Eine Ihrer Sitzungen wurde abgemeldet',
    lines: [
      'Am {{when}} wurde ein nicht mehr gültiges Token Ihrer Sitzung erneut verwendet, und zwar von der IP-Adresse {{address}}.',
      'Möglicherweise wurde es kopiert. Wir haben die Sitzung deshalb beendet. Bitte melden Sie sich erneut an.',
    ],
    note: 'Falls Ihnen das ungewöhnlich vorkommt, ändern Sie bitte Ihr Passwort.',
  },
  key_expiring: {
    subject: 'Der API-Schlüssel {{key_name}} läuft bald ab',
    lines: [
      'Der Schlüssel {{key_name}} ({{key_prefix}}) in {{ws_name}} läuft am {{expires}} ab.',
      'Erneuern Sie ihn vorher oder erstellen Sie einen neuen, damit die Anwendungen, die ihn verwenden, weiterhin funktionieren.',
    ],
    note: 'Sie erhalten diese E-Mail, weil der Schlüssel Ihnen gehört.',
  },
  key_leaked: {
    subject: 'Der API-Schlüssel {{key_name}} wurde offengelegt und gesperrt',
    lines: [
      'Der Schlüssel {{key_name}} ({{key_prefix}}) in {{ws_name}} war öffentlich zugänglich und wurde uns gemeldet.',
      'Wir haben ihn sofort gesperrt. Erstellen Sie für die betroffenen Anwendungen einen neuen Schlüssel und prüfen Sie im Zugriffsprotokoll, wofür er verwendet wurde.',
    ],
    note: 'Sie erhalten diese E-Mail, weil der Schlüssel Ihnen gehört oder Sie den Arbeitsbereich verwalten.',
  },
  file_status: {
    subject: '{{files}}: {{state}}',
    lines: ['{{mover}} hat den Status von {{files}} in {{ws_name}} auf „{{state}}“ geändert.', '{{comment}}'],
    note: 'Sie erhalten diese E-Mail, weil Sie laut Statusablauf des Arbeitsbereichs über diese Änderung informiert werden.',
  },
  object_state: {
    subject: '{{object}}: {{state}}',
    lines: ['{{mover}} hat {{object}} in {{ws_name}} in den Status „{{state}}“ versetzt.', '{{comment}}'],
    note: 'Sie erhalten diese E-Mail, weil Sie laut einem Lebenszyklus-Ablauf des Arbeitsbereichs über diese Änderung informiert werden.',
  },
  approval_requested: {
    subject: 'Freigabe angefragt: {{subject}}',
    lines: [
      '{{requester}} bittet Sie um die Freigabe von {{subject}} in {{ws_name}}. Übergang: {{transition}}.',
      '{{comment}}',
      'Ihre Entscheidung gilt für den Inhalt zum Zeitpunkt der Anfrage.',
    ],
    note: 'Sie erhalten diese E-Mail, weil ein Freigabe-Ablauf des Arbeitsbereichs Sie zur Freigabe vorsieht.',
  },
  approval_closed: {
    subject: 'Freigabe {{what}}: {{subject}}',
    lines: ['Ihre Anfrage zur Freigabe von {{subject}} in {{ws_name}} wurde {{what}}. Übergang: {{transition}}.', '{{comment}}'],
    note: 'Sie erhalten diese E-Mail, weil Sie die Freigabe angefragt haben.',
  },
  approval_stalled: {
    subject: 'Niemand kann mehr freigeben: {{subject}}',
    lines: [
      'Die Anfrage zur Freigabe von {{subject}} in {{ws_name}} ist offen, aber niemand kann sie mehr freigeben. Übergang: {{transition}}.',
      'Benennen Sie im Freigabe-Ablauf andere Personen, ziehen Sie die Anfrage zurück und fragen Sie die Freigabe erneut an.',
    ],
    note: 'Sie erhalten diese E-Mail, weil Sie die Freigabe angefragt haben oder für diesen Inhalt zuständig sind.',
  },
  approval_moved: {
    subject: '{{subject}}: {{state}}',
    lines: ['{{mover}} hat {{subject}} in {{ws_name}} in den Status „{{state}}“ versetzt.', '{{comment}}'],
    note: 'Sie erhalten diese E-Mail, weil Sie laut einem Freigabe-Ablauf des Arbeitsbereichs über diese Änderung informiert werden.',
  },
  file_quarantined: {
    subject: 'In Quarantäne: {{files}}',
    lines: [
      'In {{ws_name}} unter Quarantäne gestellt: {{files}}. Grund: {{reason}}.',
      'Dateien in Quarantäne können erst wieder heruntergeladen werden, wenn eine Administratorin oder ein Administrator sie freigibt.',
    ],
    note: 'Sie erhalten diese E-Mail, weil Sie die Datei hinzugefügt haben.',
  },
  share_link: {
    subject: '{{sharer}} hat {{share_name}} mit Ihnen geteilt',
    lines: ['{{sharer}} ({{ws_name}}) hat {{share_name}} mit Ihnen geteilt.', '{{message}}'],
    action: { label: 'Öffnen', link: '{{link}}' },
    note: 'Alle, die diesen Link haben, können ihn öffnen. Geben Sie ihn nur an Personen weiter, für die er bestimmt ist.',
  },
  share_uploads: {
    subject: 'Neue Dateien für {{share_name}}',
    lines: ['Neue Dateien über Ihren Link {{share_name}} in {{ws_name}}: {{count}}.', 'Von: {{from}}'],
    note: 'Sie erhalten diese E-Mail, weil Sie den Link erstellt haben.',
  },
  share_expiring: {
    subject: 'Ihr Link {{share_name}} läuft bald ab',
    lines: [
      'Ihr Link {{share_name}} in {{ws_name}} läuft am {{expires}} ab.',
      'Verlängern Sie ihn, wenn er länger verfügbar bleiben soll.',
    ],
    note: 'Sie erhalten diese E-Mail, weil Sie den Link erstellt haben.',
  },
  share_administered: {
    subject: 'Ihr Link {{share_name}} wurde geändert',
    lines: ['Ihr Link {{share_name}} in {{ws_name}} wurde von der Administration {{what}}.'],
    note: 'Sie erhalten diese E-Mail, weil Sie den Link erstellt haben.',
  },
};

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de };

/** Words of a closed list that variables carry, as each language says them. */
const PHRASES: Readonly<Record<string, Phrases>> = {
  en: {
    ...PUBLISHING_PHRASES.en,
    malware: 'malware was found',
    not_scanned: 'the malware scanner could not check it',
    hash_mismatch: 'its content differs from what the upload announced',
    executable: 'programs are not allowed',
    superseded: 'superseded by an edit',
  },
  de: {
    ...PUBLISHING_PHRASES.de,
    malware: 'Schadsoftware gefunden',
    not_scanned: 'die Prüfung auf Schadsoftware war nicht möglich',
    hash_mismatch: 'der Inhalt weicht vom angekündigten ab',
    executable: 'Programme sind nicht erlaubt',
    approved: 'genehmigt',
    rejected: 'abgelehnt',
    withdrawn: 'zurückgezogen',
    superseded: 'durch eine Änderung überholt',
    revoked: 'widerrufen',
    'turned off': 'ausgeschaltet',
    'turned on': 'eingeschaltet',
    'given another expiry': 'mit einem neuen Ablaufdatum versehen',
  },
};

const languageOf = (locale: string): string => locale.split('-')[0]?.toLowerCase() ?? '';

/** The text in the language of a locale, else in English. */
export const textOf = (template: MailTemplate, locale: string): MailText => (LANGUAGES[languageOf(locale)] ?? en)[template];

/** A word of a closed list in the language of a locale; the word itself where there is none. */
export const phraseOf = (word: string, locale: string): string => (PHRASES[languageOf(locale)] ?? PHRASES['en'])?.[word] ?? word;
