import { Clock } from '@atrium/platform/kernel';
import type { PageDocument } from '../../content/domain/page-document';
import { CmsLink } from './cms-link';

class FixedClock extends Clock {
  now(): Date {
    return new Date('2026-05-01T12:00:00Z');
  }
}
const clock = new FixedClock();
const link = (facts: Partial<CmsLink> = {}): CmsLink =>
  CmsLink.blank({ tenant_id: 't', lnk_id: 'l', lnk_site: 's', lnk_node: 'n', lnk_external_id: 'e', ...facts }, clock.now());
const DOCUMENT: PageDocument = {
  name: 'Lamp',
  slugs: { en: 'lamp' },
  parent: null,
  template: 'page',
  kind: 'page',
  content: {},
  overlays: {},
  seo: {},
  order: null,
};
const OURS = { document: DOCUMENT, hash: 'ours' };

describe('a link', () => {
  it('is new without anything that was compared', () => {
    expect(link()).toMatchObject({ lnk_verdict: 'unknown', lnk_base: null, lnk_remote_hash: null, lnk_pending: {}, lnk_error: null });
  });

  it('keeps what a comparison found, and forgets the error of the one before', () => {
    const known = link();
    known.fail({ code: 'timeout', message: 'late' }, clock);
    const fields = { local: ['name'], remote: [], conflicts: [] };
    known.compared({ verdict: 'local_changed', local: 'L', localStamp: '7', remote: 'R', fields }, clock);
    expect(known).toMatchObject({
      lnk_verdict: 'local_changed',
      lnk_local_hash: 'L',
      lnk_local_stamp: '7',
      lnk_remote_hash: 'R',
      lnk_fields: fields,
      lnk_error: null,
    });
  });

  it('has one content on both sides once they agree, and nothing that was about to be sent', () => {
    const known = link();
    known.intend('ours');
    known.agree(OURS, clock);
    expect(known).toMatchObject({
      lnk_base: DOCUMENT,
      lnk_base_hash: 'ours',
      lnk_local_hash: 'ours',
      lnk_remote_hash: 'ours',
      lnk_intended_hash: null,
      lnk_verdict: 'in_sync',
    });
  });

  it.each([
    ['as it was sent', 'ours', 'in_sync'],
    ['as something else', 'theirs', 'remote_changed'],
  ])('knows what the CMS has stored %s', (_what, hash, verdict) => {
    const known = link();
    known.agree(OURS, clock);
    known.recordStored(hash);
    expect(known).toMatchObject({ lnk_remote_hash: hash, lnk_base_hash: 'ours', lnk_verdict: verdict });
  });

  it('compares with another base after one side was preferred, and leaves the hashes of both sides', () => {
    const known = link({ lnk_local_hash: 'L', lnk_remote_hash: 'R' });
    known.rebase(OURS);
    expect(known).toMatchObject({ lnk_base_hash: 'ours', lnk_local_hash: 'L', lnk_remote_hash: 'R' });
  });

  it.each([
    ['unsupported_field', 'unsupported'],
    ['timeout', 'error'],
  ])('fails for %s as %s, with a message that fits', (code, verdict) => {
    const known = link();
    known.fail({ code, message: 'x'.repeat(2_000) }, clock);
    expect(known.lnk_verdict).toBe(verdict);
    expect(known.lnk_error).toEqual({ code, message: 'x'.repeat(1_000), at: '2026-05-01T12:00:00.000Z' });
  });
});
