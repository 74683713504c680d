import { Clock } from '@atrium/platform/kernel';
import type { RemoteSpace } from './cms-port';
import { CmsSiteConnection } from './cms-site-connection';

class FixedClock extends Clock {
  now(): Date {
    return new Date('2026-05-01T12:00:00Z');
  }
}
const clock = new FixedClock();
const SPACE: RemoteSpace = {
  id: '7',
  name: 'Corporate',
  locales: [],
  capabilities: {
    drafts: true,
    locales: true,
    tree: true,
    draft_events: false,
    signed_webhooks: true,
    version_lock: false,
    assets: true,
    publish_by_locale: false,
    carries: { seo: false, order: true, name: true, asset_texts: true, root: true },
  },
  settings: {},
};
const connection = (): CmsSiteConnection =>
  CmsSiteConnection.blank({ tenant_id: 't', cms_site: 's', cms_provider: 'storyblok', cms_created_by: 'u' }, clock.now());

describe('a connection', () => {
  it('does nothing by itself when it is new', () => {
    expect(connection()).toMatchObject({ cms_status: 'ok', cms_scan: false, cms_auto_pull: 'off', cms_notify: 'off', cms_hook_key: null });
    expect(connection().isScanned).toBe(false);
  });

  it.each(['revoke', 'fail'] as const)('works again after it was verified, whatever ended it (%s)', (ending) => {
    const known = connection();
    known[ending]('refused', clock);
    known.verified(SPACE, { settings: { spaceId: '7' }, secrets: 'sealed' }, clock);
    expect(known).toMatchObject({
      cms_status: 'ok',
      cms_last_error: null,
      cms_space: { id: '7', name: 'Corporate' },
      cms_settings: { spaceId: '7' },
      cms_secrets: 'sealed',
    });
  });

  it('is revoked once, however often the CMS refuses', () => {
    const known = connection();
    expect([known.revoke('refused', clock), known.revoke('refused again', clock)]).toEqual([true, false]);
    expect(known).toMatchObject({ cms_status: 'revoked', cms_last_error: 'refused again' });
  });

  it('stays revoked after other failures and after runs that ended well', () => {
    const known = connection();
    known.revoke('refused', clock);
    known.fail('late', clock);
    known.recover();
    expect(known).toMatchObject({ cms_status: 'revoked', cms_last_error: 'refused' });
  });

  it('recovers from a failure with the next run that ends well', () => {
    const known = connection();
    known.fail('x'.repeat(2_000), clock);
    expect(known).toMatchObject({ cms_status: 'failing', cms_last_error: 'x'.repeat(1_000) });
    known.recover();
    expect(known).toMatchObject({ cms_status: 'ok', cms_last_error: null });
  });

  it('changes of its automation what is given', () => {
    const known = connection();
    known.automate({ scan: true, autoPull: 'all' }, clock);
    known.automate({ autoPull: 'unedited' }, clock);
    expect(known).toMatchObject({ cms_scan: true, cms_auto_pull: 'unedited', cms_notify: 'off' });
    known.automate({ scan: false }, clock);
    expect(known.isScanned).toBe(false);
  });
});
