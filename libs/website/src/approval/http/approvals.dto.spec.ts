import { faultsOfBody, faultsOfQuery } from '@atrium/platform/testing';
import { DecideApproval, ListApprovalRequests, ListPageTransitions, MoveNode } from './approvals.dto';

const HASH = 'a'.repeat(64);

describe('a move of a page', () => {
  it('needs a transition, and takes locales, a comment and a wish to publish', async () => {
    expect(await faultsOfBody(MoveNode, { transition: 'submit' })).toEqual([]);
    expect(
      await faultsOfBody(MoveNode, {
        transition: 'submit',
        locales: ['en'],
        comment: null,
        publish: { on_approval: true, at: '2027-01-01T00:00:00Z' },
      }),
    ).toEqual([]);
    expect(await faultsOfBody(MoveNode, {})).toMatchObject([{ path: 'transition', code: 'required' }]);
  });

  it.each<[string, object, string]>([
    ['a key in capitals', { transition: 'Submit' }, 'transition'],
    ['no locale', { transition: 'submit', locales: [] }, 'locales'],
    ['51 locales', { transition: 'submit', locales: Array.from({ length: 51 }, () => 'en') }, 'locales'],
    ['a comment of 2,001 characters', { transition: 'submit', comment: 'x'.repeat(2_001) }, 'comment'],
    ['a time without a wish', { transition: 'submit', publish: { at: '2027-01-01T00:00:00Z' } }, 'publish.on_approval'],
    ['a time that is none', { transition: 'submit', publish: { on_approval: true, at: 'soon' } }, 'publish.at'],
    ['an unknown field', { transition: 'submit', force: true }, 'force'],
  ])('is refused with %s', async (_, body, path) => {
    expect((await faultsOfBody(MoveNode, body)).map((fault) => fault.path)).toEqual([path]);
  });
});

describe('a decision', () => {
  it('is made on content that was read', async () => {
    expect(await faultsOfBody(DecideApproval, { decision: 'reject', hash: HASH, comment: 'No.' })).toEqual([]);
    expect((await faultsOfBody(DecideApproval, {})).map(({ path }) => path).sort()).toEqual(['decision', 'hash']);
  });

  it.each<[string, object, string]>([
    ['another word', { decision: 'abstain', hash: HASH }, 'decision'],
    ['an empty hash', { decision: 'approve', hash: '' }, 'hash'],
    ['a hash of 129 characters', { decision: 'approve', hash: 'a'.repeat(129) }, 'hash'],
    ['a comment of 2,001 characters', { decision: 'approve', hash: HASH, comment: 'x'.repeat(2_001) }, 'comment'],
  ])('is refused with %s', async (_, body, path) => {
    expect((await faultsOfBody(DecideApproval, body)).map((fault) => fault.path)).toEqual([path]);
  });
});

describe('the queries of approvals', () => {
  it('take what they know and nothing else', async () => {
    expect(await faultsOfQuery(ListApprovalRequests, 'mine=true&car_status=open&car_subject_type=node')).toEqual([]);
    expect(await faultsOfQuery(ListPageTransitions, 'locale=de')).toEqual([]);
    expect(await faultsOfQuery(ListApprovalRequests, 'mine=perhaps')).toMatchObject([{ path: 'mine' }]);
    expect(await faultsOfQuery(ListApprovalRequests, 'car_status=closed')).toMatchObject([{ path: 'car_status' }]);
    expect(await faultsOfQuery(ListApprovalRequests, 'car_subject_id=page')).toMatchObject([{ path: 'car_subject_id' }]);
    expect(await faultsOfQuery(ListPageTransitions, 'language=de')).toMatchObject([{ path: 'language', code: 'unknown_field' }]);
  });
});
