import { moveOf, type Move, type SyncWish } from './sync-rules';
import { VERDICTS, type Verdict } from './verdict';

const pull = (verdict: Verdict, wish: Partial<SyncWish> = {}): Move => moveOf(verdict, { direction: 'pull', ...wish });
const push = (verdict: Verdict, wish: Partial<SyncWish> = {}): Move => moveOf(verdict, { direction: 'push', ...wish });
const all = (of: typeof pull, wish: Partial<SyncWish> = {}): Readonly<Record<string, Move>> =>
  Object.fromEntries(VERDICTS.map((verdict) => [verdict, of(verdict, wish)]));

describe('What a pull does', () => {
  const usual = {
    in_sync: 'none',
    remote_changed: 'take',
    local_changed: 'skip',
    both_same: 'adopt',
    conflict: 'leave',
    local_only: 'skip',
    remote_only: 'create',
    local_deleted: 'skip',
    remote_deleted: 'skip',
    unsupported: 'fail',
    error: 'fail',
    unknown: 'fail',
  };

  it('by default', () => expect(all(pull)).toEqual(usual));
  it('with force', () => expect(all(pull, { force: true })).toEqual({ ...usual, in_sync: 'take', local_changed: 'take' }));
  it('with each resolution of conflicts', () => {
    expect(all(pull, { resolution: 'manual' })).toEqual(usual);
    expect(all(pull, { resolution: 'local' })).toEqual({ ...usual, conflict: 'yield' });
    expect(all(pull, { resolution: 'remote' })).toEqual({ ...usual, conflict: 'take', local_deleted: 'restore' });
  });
  it('with named verdicts: those alone, deletions among them', () => {
    expect(pull('local_deleted', { statuses: ['local_deleted'] })).toBe('restore');
    expect(pull('remote_deleted', { statuses: ['remote_deleted'] })).toBe('trash');
    expect(pull('remote_changed', { statuses: ['remote_only'] })).toBe('skip');
    expect(pull('in_sync', { statuses: ['remote_only'], force: true })).toBe('none');
    expect(pull('conflict', { statuses: [] })).toBe('skip');
  });
});

describe('What a push does', () => {
  const usual = {
    in_sync: 'none',
    remote_changed: 'skip',
    local_changed: 'send',
    both_same: 'adopt',
    conflict: 'send',
    local_only: 'create',
    remote_only: 'skip',
    local_deleted: 'skip',
    remote_deleted: 'skip',
    unsupported: 'fail',
    error: 'fail',
    unknown: 'fail',
  };

  it('by default', () => expect(all(push)).toEqual(usual));
  it('with force', () => expect(all(push, { force: true })).toEqual({ ...usual, in_sync: 'send', remote_changed: 'send' }));
  it('with each resolution of conflicts', () => {
    expect(all(push, { resolution: 'manual' })).toEqual({ ...usual, conflict: 'leave' });
    expect(all(push, { resolution: 'local' })).toEqual({ ...usual, remote_deleted: 'create' });
    expect(all(push, { resolution: 'remote' })).toEqual({ ...usual, conflict: 'yield' });
  });
  it('with named verdicts: those alone, deletions among them', () => {
    expect(push('local_deleted', { statuses: ['local_deleted'] })).toBe('remove');
    expect(push('remote_deleted', { statuses: ['remote_deleted'] })).toBe('create');
    expect(push('local_changed', { statuses: ['local_only'] })).toBe('skip');
  });
});
