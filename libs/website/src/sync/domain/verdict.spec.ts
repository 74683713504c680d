import { judge } from './verdict';

const [A, B, C] = ['a', 'b', 'c'];

describe('The verdict on a page', () => {
  it.each([
    { base: A, local: A, remote: A, verdict: 'in_sync' },
    { base: A, local: A, remote: B, verdict: 'remote_changed' },
    { base: A, local: B, remote: A, verdict: 'local_changed' },
    { base: A, local: B, remote: B, verdict: 'both_same' },
    { base: A, local: B, remote: C, verdict: 'conflict' },
    { base: null, local: A, remote: A, verdict: 'both_same' },
    { base: null, local: A, remote: B, verdict: 'conflict' },
    { base: null, local: A, remote: null, verdict: 'local_only' },
    { base: null, local: null, remote: A, verdict: 'remote_only' },
    { base: A, local: null, remote: A, verdict: 'remote_only' },
    { base: A, local: A, remote: null, verdict: 'remote_deleted' },
    { base: A, local: B, remote: null, verdict: 'remote_deleted' },
    { base: A, local: null, remote: null, verdict: null },
    { base: null, local: null, remote: null, verdict: null },
  ])('of base $base, local $local and remote $remote is $verdict', ({ verdict, ...hashes }) =>
    expect(judge({ ...hashes, isTrashed: false })).toBe(verdict),
  );

  it.each([
    { base: A, remote: A, verdict: 'local_deleted' },
    { base: A, remote: B, verdict: 'local_deleted' },
    { base: A, remote: null, verdict: null },
  ])('of a page in the trash with base $base and remote $remote is $verdict', ({ verdict, ...hashes }) =>
    expect(judge({ ...hashes, local: A, isTrashed: true })).toBe(verdict),
  );
});
