import { MAIL_TEMPLATES, type MailVars } from '../domain/mailer';
import { renderMail } from './render';

const vars: MailVars = {
  invitation: { ws_name: 'Haven', inviter: 'Ada', link: 'https://app.example/i/x?a=1&b=2', expires: '2026-05-04 12:00 UTC' },
  password_reset: { link: 'https://app.example/r/x', minutes: '60' },
  email_confirmation: { link: 'https://app.example/c/x', email: 'ada@example.com' },
  email_changed: { link: 'https://app.example/u/x', email: 'eve@example.com', days: '7' },
  session_reuse: { when: '2026-05-04 12:00 UTC', address: '203.0.113.7' },
  key_expiring: { ws_name: 'Haven', key_name: 'import', key_prefix: 'atk_0a1B2c3D4e5F', expires: '2026-05-04 12:00 UTC' },
  key_leaked: { ws_name: 'Haven', key_name: 'import', key_prefix: 'atk_0a1B2c3D4e5F' },
  file_status: { ws_name: 'Haven', mover: 'Ada', files: 'harbour.jpg', state: 'Approved', comment: 'Well done' },
  object_state: { ws_name: 'Haven', mover: 'Ada', object: 'Harbour lamp', state: 'Approved', comment: 'Well done' },
  approval_requested: { ws_name: 'Haven', requester: 'Ada', subject: 'Harbour lamp', transition: 'Approve', comment: 'For the launch' },
  approval_closed: { ws_name: 'Haven', subject: 'Harbour lamp', transition: 'Approve', what: 'approved', comment: 'Well done' },
  approval_stalled: { ws_name: 'Haven', subject: 'Harbour lamp', transition: 'Approve' },
  approval_moved: { ws_name: 'Haven', mover: 'Ada', subject: 'Harbour lamp', state: 'Approved', comment: 'Well done' },
  file_quarantined: { ws_name: 'Haven', files: 'invoice.pdf', reason: 'malware' },
  share_link: { sharer: 'Ada', ws_name: 'Haven', share_name: 'Harbour', message: 'Have a look & tell me', link: 'https://app.example/s/x' },
  share_uploads: { ws_name: 'Haven', share_name: 'Harbour', count: '3', from: 'Grace, Alan' },
  share_expiring: { ws_name: 'Haven', share_name: 'Harbour', expires: '2026-05-04 12:00 UTC' },
  share_administered: { ws_name: 'Haven', share_name: 'Harbour', what: 'revoked' },
  page_publish_failed: {
    ws_name: 'Haven',
    site_name: 'harbour.example',
    pages: 'Home, Lamps & more',
    what: 'unpublished',
    when: '2026-05-04 12:00 UTC',
    reason: 'approval_missing',
    link: 'https://app.example/sites/x',
  },
  cms_changes: {
    ws_name: 'Haven',
    site_name: 'harbour.example',
    provider: 'Storyblok',
    changed: '12',
    added: '34',
    deleted: '56',
    conflicts: '78',
    pulled: '90',
    pages: 'Home, Lamps',
    link: 'https://app.example/sites/x',
  },
  cms_revoked: { ws_name: 'Haven', site_name: 'harbour.example', provider: 'Contentful', link: 'https://app.example/sites/x' },
  social_connection_expiring: {
    ws_name: 'Haven',
    platform: 'LinkedIn',
    account: 'Ada Lovelace',
    expires: '2026-05-04 12:00 UTC',
    days: '3',
    posts: 'Spring, Summer',
    link: 'https://app.example/social/x',
  },
  social_connection_revoked: {
    ws_name: 'Haven',
    platform: 'LinkedIn',
    account: 'Ada Lovelace',
    posts: 'Spring',
    link: 'https://app.example/social/x',
  },
  social_post_failed: { ws_name: 'Haven', post: 'Spring', targets: 'Harbour', reason: 'duplicate', link: 'https://app.example/p/x' },
  social_post_removed: { ws_name: 'Haven', platform: 'LinkedIn', post: 'Spring', target: 'Harbour', link: 'https://app.example/p/x' },
};

describe('a mail', () => {
  it.each(MAIL_TEMPLATES.flatMap((template) => ['en', 'de-AT', 'xx'].map((locale) => [template, locale] as const)))(
    '%s in %s contains every variable, in both parts',
    (template, locale) => {
      const { subject, text, html } = renderMail({ template, vars: vars[template], locale });
      const values: readonly [string, string][] = Object.entries(vars[template]).filter(([name]) => name !== 'reason' && name !== 'what');
      for (const [, value] of values) {
        expect(`${subject}\n${text}`).toContain(value);
        expect(`${subject}\n${html}`).toContain(value.replaceAll('&', '&amp;'));
      }
      expect(`${subject}${text}${html}`).not.toMatch(/\{\{|undefined/);
    },
  );

  it('gives reasons and changes in the language of the mail', () => {
    const quarantined = (locale: string): string => renderMail({ template: 'file_quarantined', locale, vars: vars.file_quarantined }).text;
    const administered = (locale: string): string =>
      renderMail({ template: 'share_administered', locale, vars: vars.share_administered }).text;
    expect(quarantined('en')).toContain('Reason: malware was found.');
    expect(quarantined('de-AT')).toContain('Grund: Schadsoftware gefunden.');
    expect(administered('xx')).toContain('was revoked by an administrator');
    expect(administered('de')).toContain('von der Administration widerrufen');
  });

  it('leaves a sentence out where its list is empty', () => {
    const text = (posts: string): string =>
      renderMail({
        template: 'social_connection_revoked',
        locale: 'en',
        vars: { ...vars.social_connection_revoked, posts },
      }).text;
    expect(text('Spring')).toContain('Scheduled posts that fail until the account is connected again: Spring.');
    expect(text('')).not.toContain('Scheduled posts');
    expect(text('').split('\n\n')).toHaveLength(text('Spring').split('\n\n').length - 1);
  });

  it.each([
    ['en', 'Not unpublished as scheduled: Home, Lamps & more', 'Reason: an approval is missing.'],
    ['de', 'Nicht wie geplant offline genommen: Home, Lamps & more', 'Grund: eine Freigabe fehlt.'],
  ])('reports a schedule that failed, with its reason, in %s', (locale, title, reason) => {
    const { subject, text } = renderMail({ template: 'page_publish_failed', locale, vars: vars.page_publish_failed });
    expect(subject).toBe(title);
    expect(text).toContain(reason);
  });

  it('shows a reason in words of its own as it is', () => {
    const reason = 'LinkedIn returned 400';
    expect(renderMail({ template: 'social_post_failed', locale: 'de', vars: { ...vars.social_post_failed, reason } }).text).toContain(
      `Grund: ${reason}.`,
    );
  });

  it('takes a name for no such word', () => {
    const text = renderMail({ template: 'share_link', locale: 'de', vars: { ...vars.share_link, share_name: 'revoked' } }).text;
    expect(text).toContain('hat revoked mit Ihnen geteilt');
  });

  it('takes no line break, markup or variable from a value', () => {
    const { subject, text, html } = renderMail({
      template: 'key_leaked',
      locale: 'en',
      vars: { ...vars.key_leaked, key_name: 'a\r\nBcc: eve@example.com\u2028<script>{{ws_name}}' },
    });
    expect(subject).toBe('The API key a Bcc: eve@example.com <script>{{ws_name}} was leaked and revoked');
    expect(text.split('\n\n')[0]).toContain('a Bcc: eve@example.com <script>');
    expect(html).not.toContain('<script>');
  });
});
