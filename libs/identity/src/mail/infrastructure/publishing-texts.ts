import type { PublishingMailVars } from '../domain/publishing-mails';
import type { MailText, Phrases } from './mail-text';

type Texts = Readonly<Record<keyof PublishingMailVars, MailText>>;

const en: Texts = {
  page_publish_failed: {
    subject: 'Not {{what}} as scheduled: {{pages}}',
    lines: [
      'The following pages of {{site_name}} in {{ws_name}} were scheduled to be {{what}} at {{when}}, but were not: {{pages}}.',
      'Reason: {{reason}}.',
    ],
    action: { label: 'Open', link: '{{link}}' },
    note: 'You are receiving this email because you created the schedule or are a contact of the site.',
  },
  cms_changes: {
    subject: 'Changes in {{provider}} for {{site_name}}',
    lines: [
      '{{provider}} and {{site_name}} in {{ws_name}} differ. Pages changed in {{provider}}: {{changed}}. New there: {{added}}. Deleted there: {{deleted}}. Changed on both sides: {{conflicts}}.',
      { given: 'pages', line: 'Pages: {{pages}}.' },
      { given: 'pulled', line: 'Pages taken over automatically: {{pulled}}.' },
    ],
    action: { label: 'Compare', link: '{{link}}' },
    note: 'You are receiving this email because you are a contact of the site.',
  },
  cms_revoked: {
    subject: '{{provider}} rejects the connection of {{site_name}}',
    lines: [
      '{{provider}} no longer accepts the access token of {{site_name}} in {{ws_name}}.',
      'Nothing is synced until the site is connected again with a valid token. Links between pages are kept.',
    ],
    action: { label: 'Connect again', link: '{{link}}' },
    note: 'You are receiving this email because you are a contact of the site.',
  },
  social_connection_expiring: {
    subject: 'Connect {{account}} again before {{expires}}',
    lines: [
      'The connection of {{ws_name}} to {{account}} on {{platform}} expires at {{expires}}. Days left: {{days}}.',
      { given: 'posts', line: 'Posts scheduled for a later time, which would fail: {{posts}}.' },
      'Connect the account again before then. Scheduled posts are kept.',
    ],
    action: { label: 'Connect again', link: '{{link}}' },
    note: 'You are receiving this email because you connected the account or have scheduled posts that need it.',
  },
  social_connection_revoked: {
    subject: '{{platform}} rejects the connection to {{account}}',
    lines: [
      '{{platform}} no longer accepts the connection of {{ws_name}} to {{account}}.',
      { given: 'posts', line: 'Scheduled posts that fail until the account is connected again: {{posts}}.' },
      'Connect the account again. Posts that failed in the meantime can then be sent again.',
    ],
    action: { label: 'Connect again', link: '{{link}}' },
    note: 'You are receiving this email because you connected the account or have scheduled posts that need it.',
  },
  social_post_failed: {
    subject: 'Not sent: {{post}}',
    lines: ['The post {{post}} in {{ws_name}} was not sent to {{targets}}. Reason: {{reason}}.'],
    action: { label: 'Open the post', link: '{{link}}' },
    note: 'You are receiving this email because you created or scheduled the post.',
  },
  social_post_removed: {
    subject: 'No longer on {{platform}}: {{post}}',
    lines: ['The post {{post}} in {{ws_name}}, sent to {{target}}, no longer exists on {{platform}}.', 'Its metrics are kept.'],
    action: { label: 'Open the post', link: '{{link}}' },
    note: 'You are receiving this email because you created or scheduled the post.',
  },
};

const de: Texts = {
  page_publish_failed: {
    subject: 'Nicht wie geplant {{what}}: {{pages}}',
    lines: [
      'Folgende Seiten von {{site_name}} in {{ws_name}} sollten am {{when}} {{what}} werden, wurden es aber nicht: {{pages}}.',
      'Grund: {{reason}}.',
    ],
    action: { label: 'Öffnen', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie den Termin angelegt haben oder Kontaktperson der Website sind.',
  },
  cms_changes: {
    subject: 'Änderungen in {{provider}} für {{site_name}}',
    lines: [
      '{{provider}} und {{site_name}} in {{ws_name}} weichen voneinander ab. In {{provider}} geänderte Seiten: {{changed}}. Dort neu: {{added}}. Dort gelöscht: {{deleted}}. Auf beiden Seiten geändert: {{conflicts}}.',
      { given: 'pages', line: 'Seiten: {{pages}}.' },
      { given: 'pulled', line: 'Automatisch übernommene Seiten: {{pulled}}.' },
    ],
    action: { label: 'Vergleichen', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie Kontaktperson der Website sind.',
  },
  cms_revoked: {
    subject: '{{provider}} lehnt die Verbindung von {{site_name}} ab',
    lines: [
      '{{provider}} akzeptiert das Zugriffstoken von {{site_name}} in {{ws_name}} nicht mehr.',
      'Bis die Website mit einem gültigen Token neu verbunden ist, wird nichts abgeglichen. Die Verknüpfungen der Seiten bleiben erhalten.',
    ],
    action: { label: 'Neu verbinden', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie Kontaktperson der Website sind.',
  },
  social_connection_expiring: {
    subject: 'Verbinden Sie {{account}} vor dem {{expires}} neu',
    lines: [
      '{{ws_name}} ist nur noch bis {{expires}} mit {{account}} auf {{platform}} verbunden. Verbleibende Tage: {{days}}.',
      { given: 'posts', line: 'Beiträge, die für einen späteren Zeitpunkt geplant sind und nicht gesendet würden: {{posts}}.' },
      'Verbinden Sie das Konto vorher neu. Geplante Beiträge bleiben erhalten.',
    ],
    action: { label: 'Neu verbinden', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie das Konto verbunden oder Beiträge dafür geplant haben.',
  },
  social_connection_revoked: {
    subject: '{{platform}} lehnt die Verbindung zu {{account}} ab',
    lines: [
      '{{platform}} akzeptiert die Verbindung von {{ws_name}} zu {{account}} nicht mehr.',
      { given: 'posts', line: 'Geplante Beiträge, die bis zur neuen Verbindung nicht gesendet werden: {{posts}}.' },
      'Verbinden Sie das Konto neu. Beiträge, die inzwischen nicht gesendet wurden, können Sie danach erneut senden.',
    ],
    action: { label: 'Neu verbinden', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie das Konto verbunden oder Beiträge dafür geplant haben.',
  },
  social_post_failed: {
    subject: 'Nicht gesendet: {{post}}',
    lines: ['Der Beitrag {{post}} in {{ws_name}} wurde nicht an {{targets}} gesendet. Grund: {{reason}}.'],
    action: { label: 'Beitrag öffnen', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie den Beitrag erstellt oder geplant haben.',
  },
  social_post_removed: {
    subject: 'Nicht mehr auf {{platform}}: {{post}}',
    lines: [
      'Der Beitrag {{post}} in {{ws_name}}, gesendet an {{target}}, ist auf {{platform}} nicht mehr vorhanden.',
      'Seine Kennzahlen bleiben erhalten.',
    ],
    action: { label: 'Beitrag öffnen', link: '{{link}}' },
    note: 'Sie erhalten diese E-Mail, weil Sie den Beitrag erstellt oder geplant haben.',
  },
};

export const PUBLISHING_TEXTS = { en, de } as const;

/** Reasons and changes, as each language says them. */
export const PUBLISHING_PHRASES: Readonly<Record<'en' | 'de', Phrases>> = {
  en: {
    invalid_content: 'the content has errors',
    approval_missing: 'an approval is missing',
    path_taken: 'another page has the same address',
    permission_denied: 'the person who scheduled it no longer has the permission',
    license_required: 'the module is no longer licensed',
    credits_exhausted: 'the workspace has no credits left',
    file_unavailable: 'a file is not available',
    connection_revoked: 'the account has to be connected again',
    disconnected: 'the account was disconnected',
    missing_scope: 'the connection does not include the permission to post there',
    duplicate: 'the same text was posted before',
    missed_window: 'the time had passed when the service was available again',
    outcome_unknown: 'the platform did not confirm it; check there before you send it again',
    platform_unavailable: 'the platform was not available',
    refused: 'the platform rejected it',
  },
  de: {
    published: 'veröffentlicht',
    unpublished: 'offline genommen',
    invalid_content: 'der Inhalt enthält Fehler',
    approval_missing: 'eine Freigabe fehlt',
    path_taken: 'eine andere Seite hat dieselbe Adresse',
    permission_denied: 'die Person, die es geplant hat, ist dazu nicht mehr berechtigt',
    license_required: 'das Modul ist nicht mehr lizenziert',
    credits_exhausted: 'der Arbeitsbereich hat kein Guthaben mehr',
    file_unavailable: 'eine Datei ist nicht verfügbar',
    connection_revoked: 'das Konto muss neu verbunden werden',
    disconnected: 'das Konto wurde getrennt',
    missing_scope: 'die Verbindung berechtigt nicht dazu, dort zu posten',
    duplicate: 'derselbe Text wurde schon gesendet',
    missed_window: 'der Zeitpunkt war vorüber, als der Dienst wieder verfügbar war',
    outcome_unknown: 'die Plattform hat es nicht bestätigt; prüfen Sie dort, bevor Sie es erneut senden',
    platform_unavailable: 'die Plattform war nicht verfügbar',
    refused: 'die Plattform hat es abgelehnt',
  },
};
