import type { MailTemplate } from '../domain/mailer';

/** What one mail says; `{{name}}` stands for a variable. */
export interface MailText {
  readonly subject: string;
  readonly lines: readonly string[];
  /** The link to follow and what its button says. */
  readonly action?: { readonly label: string; readonly link: string };
  readonly note: string;
}

type Texts = Readonly<Record<MailTemplate, MailText>>;

const en: Texts = {
  invitation: {
    subject: 'You are invited to {{ws_name}}',
    lines: ['{{inviter}} invites you to work together in {{ws_name}}.', 'The invitation is good for one use, until {{expires}}.'],
    action: { label: 'Accept the invitation', link: '{{link}}' },
    note: 'If you do not expect this invitation, ignore this mail; nothing happens without you.',
  },
  password_reset: {
    subject: 'Set a new password',
    lines: ['Somebody, hopefully you, asked for a new password.', 'The link is good for one use within {{minutes}} minutes.'],
    action: { label: 'Set a new password', link: '{{link}}' },
    note: 'If it was not you, ignore this mail; your password stays as it is.',
  },
  email_confirmation: {
    subject: 'Confirm your e-mail address',
    lines: ['{{email}} is to become the address you sign in with.'],
    action: { label: 'Confirm the address', link: '{{link}}' },
    note: 'If it was not you, ignore this mail; nothing changes without a confirmation.',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    lines: [
      'From now on you sign in with {{email}}, and no longer with the address this mail was sent to.',
      'If that was you, there is nothing to do.',
      'If it was not you, take your account back: the link below restores this address, sets a new password and ends every session. It is good for {{days}} days.',
    ],
    action: { label: 'This was not me', link: '{{link}}' },
    note: 'You get this mail because it was the address of your account.',
  },
  session_reuse: {
    subject: 'We ended one of your sessions',
    lines: [
      'At {{when}} a token of your session that had been used before was presented again, from the address {{address}}.',
      'Somebody may have copied it, so the session was ended. Sign in again.',
    ],
    note: 'If you did not expect this, change your password.',
  },
  key_expiring: {
    subject: 'The API key {{key_name}} expires soon',
    lines: [
      'The key {{key_name}} ({{key_prefix}}) of {{ws_name}} expires at {{expires}}.',
      'Rotate it or make a new one before, so that what uses it goes on working.',
    ],
    note: 'You get this mail because the key is yours.',
  },
  key_leaked: {
    subject: 'The API key {{key_name}} was leaked and revoked',
    lines: [
      'The key {{key_name}} ({{key_prefix}}) of {{ws_name}} was found in the open and reported to us.',
      'It was revoked at once. Make a new one for what used it, and look through the access log for what was done with it.',
    ],
    note: 'You get this mail because you own the key or administer the workspace.',
  },
  file_status: {
    subject: '{{files}}: {{state}}',
    lines: ['{{mover}} gave {{files}} in {{ws_name}} the status {{state}}.', '{{comment}}'],
    note: 'You get this mail because the status flow of the workspace names you.',
  },
  file_quarantined: {
    subject: '{{files}} is in quarantine',
    lines: [
      '{{files}} of {{ws_name}} was put into quarantine ({{reason}}).',
      'Nobody can download it until an administrator of the workspace releases it.',
    ],
    note: 'You get this mail because you added it.',
  },
  share_link: {
    subject: '{{sharer}} shares {{share_name}} with you',
    lines: ['{{sharer}} of {{ws_name}} shares {{share_name}} with you.', '{{message}}'],
    action: { label: 'Open', link: '{{link}}' },
    note: 'Whoever has this link can open it; hand it on only to those it is meant for.',
  },
  share_uploads: {
    subject: 'Files have come in by {{share_name}}',
    lines: ['{{count}} new by your link {{share_name}} of {{ws_name}}.', 'From: {{from}}'],
    note: 'You get this mail because you made the link.',
  },
  share_expiring: {
    subject: 'The link {{share_name}} ends soon',
    lines: ['Your link {{share_name}} of {{ws_name}} ends at {{expires}}.', 'Give it another end if it is to last longer.'],
    note: 'You get this mail because you made the link.',
  },
  share_administered: {
    subject: 'An administrator changed the link {{share_name}}',
    lines: ['Your link {{share_name}} of {{ws_name}} was {{what}} by an administrator.'],
    note: 'You get this mail because you made the link.',
  },
};

const de: Texts = {
  invitation: {
    subject: 'Einladung zu {{ws_name}}',
    lines: ['{{inviter}} lädt Sie zur Zusammenarbeit in {{ws_name}} ein.', 'Die Einladung gilt einmal, bis {{expires}}.'],
    action: { label: 'Einladung annehmen', link: '{{link}}' },
    note: 'Wenn Sie diese Einladung nicht erwarten, beachten Sie diese Nachricht nicht; ohne Sie geschieht nichts.',
  },
  password_reset: {
    subject: 'Neues Passwort setzen',
    lines: ['Jemand, hoffentlich Sie, hat ein neues Passwort angefordert.', 'Der Link gilt einmal, innerhalb von {{minutes}} Minuten.'],
    action: { label: 'Neues Passwort setzen', link: '{{link}}' },
    note: 'Wenn Sie es nicht waren, beachten Sie diese Nachricht nicht; Ihr Passwort bleibt, wie es ist.',
  },
  email_confirmation: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    lines: ['{{email}} soll die Adresse werden, mit der Sie sich anmelden.'],
    action: { label: 'Adresse bestätigen', link: '{{link}}' },
    note: 'Wenn Sie es nicht waren, beachten Sie diese Nachricht nicht; ohne Bestätigung ändert sich nichts.',
  },
  email_changed: {
    subject: 'Ihre E-Mail-Adresse wurde geändert',
    lines: [
      'Ab jetzt melden Sie sich mit {{email}} an, nicht mehr mit der Adresse, an die diese Nachricht ging.',
      'Wenn Sie das waren, ist nichts zu tun.',
      'Wenn nicht, holen Sie Ihr Konto zurück: Der Link stellt diese Adresse wieder her, setzt ein neues Passwort und beendet alle Sitzungen. Er gilt {{days}} Tage.',
    ],
    action: { label: 'Das war ich nicht', link: '{{link}}' },
    note: 'Sie erhalten diese Nachricht, weil dies die Adresse Ihres Kontos war.',
  },
  session_reuse: {
    subject: 'Wir haben eine Ihrer Sitzungen beendet',
    lines: [
      'Am {{when}} wurde ein bereits benutztes Token Ihrer Sitzung erneut vorgelegt, von der Adresse {{address}}.',
      'Jemand könnte es kopiert haben, darum wurde die Sitzung beendet. Melden Sie sich neu an.',
    ],
    note: 'Wenn Sie das nicht erwartet haben, ändern Sie Ihr Passwort.',
  },
  key_expiring: {
    subject: 'Der API-Schlüssel {{key_name}} läuft bald ab',
    lines: [
      'Der Schlüssel {{key_name}} ({{key_prefix}}) von {{ws_name}} läuft am {{expires}} ab.',
      'Erneuern Sie ihn vorher, damit weiter läuft, was ihn benutzt.',
    ],
    note: 'Sie erhalten diese Nachricht, weil der Schlüssel Ihnen gehört.',
  },
  key_leaked: {
    subject: 'Der API-Schlüssel {{key_name}} wurde bekannt und widerrufen',
    lines: [
      'Der Schlüssel {{key_name}} ({{key_prefix}}) von {{ws_name}} wurde öffentlich gefunden und uns gemeldet.',
      'Er wurde sofort widerrufen. Legen Sie einen neuen an und prüfen Sie im Zugriffsprotokoll, was mit ihm getan wurde.',
    ],
    note: 'Sie erhalten diese Nachricht, weil der Schlüssel Ihnen gehört oder Sie den Arbeitsbereich verwalten.',
  },
  file_status: {
    subject: '{{files}}: {{state}}',
    lines: ['{{mover}} hat {{files}} in {{ws_name}} den Status {{state}} gegeben.', '{{comment}}'],
    note: 'Sie erhalten diese Nachricht, weil der Statusablauf des Arbeitsbereichs Sie nennt.',
  },
  file_quarantined: {
    subject: '{{files}} ist in Quarantäne',
    lines: [
      '{{files}} in {{ws_name}} wurde in Quarantäne gestellt ({{reason}}).',
      'Niemand kann sie herunterladen, bis die Verwaltung des Arbeitsbereichs sie freigibt.',
    ],
    note: 'Sie erhalten diese Nachricht, weil Sie sie hinzugefügt haben.',
  },
  share_link: {
    subject: '{{sharer}} teilt {{share_name}} mit Ihnen',
    lines: ['{{sharer}} aus {{ws_name}} teilt {{share_name}} mit Ihnen.', '{{message}}'],
    action: { label: 'Öffnen', link: '{{link}}' },
    note: 'Wer diesen Link hat, kann ihn öffnen; geben Sie ihn nur an die weiter, für die er bestimmt ist.',
  },
  share_uploads: {
    subject: 'Über {{share_name}} sind Dateien eingegangen',
    lines: ['{{count}} neu über Ihren Link {{share_name}} in {{ws_name}}.', 'Von: {{from}}'],
    note: 'Sie erhalten diese Nachricht, weil Sie den Link angelegt haben.',
  },
  share_expiring: {
    subject: 'Der Link {{share_name}} endet bald',
    lines: ['Ihr Link {{share_name}} in {{ws_name}} endet am {{expires}}.', 'Geben Sie ihm ein anderes Ende, wenn er länger gelten soll.'],
    note: 'Sie erhalten diese Nachricht, weil Sie den Link angelegt haben.',
  },
  share_administered: {
    subject: 'Der Link {{share_name}} wurde von der Verwaltung geändert',
    lines: ['Ihr Link {{share_name}} in {{ws_name}} wurde von der Verwaltung geändert: {{what}}.'],
    note: 'Sie erhalten diese Nachricht, weil Sie den Link angelegt haben.',
  },
};

const LANGUAGES: Readonly<Record<string, Texts>> = { en, de };

/** The text in the language of a locale, else in English. */
export const textOf = (template: MailTemplate, locale: string): MailText =>
  (LANGUAGES[locale.split('-')[0]?.toLowerCase() ?? ''] ?? en)[template];
