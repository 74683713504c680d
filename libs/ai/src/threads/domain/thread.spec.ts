import { SystemClock, type JsonObject } from '@atrium/platform/kernel';
import { Thread } from './thread';
import { checkedGrants, grantsIn } from './thread-acl';
import { checkedRef, refKeyOf } from './thread-ref';

const ANN = '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e0f';
const BEN = '0197f5a2-6b1e-7c3d-8e4f-5a6b7c8d9e10';
const clock = new SystemClock();

const threadOf = (facts: Partial<Thread> = {}): Thread =>
  Object.assign(new Thread(), {
    thread_user: ANN,
    thread_acl: {},
    thread_status: 'open',
    thread_active: true,
    thread_share_mode: 'private',
    thread_space: null,
    thread_memory: true,
    thread_run: null,
    ...facts,
  });

describe('a thread', () => {
  it('keeps its former owner as a writer when it is handed over', () => {
    const thread = threadOf({ thread_acl: { users: { [BEN]: 'view' } } });
    thread.handOver(BEN);
    expect([thread.thread_user, thread.grants]).toEqual([BEN, [{ kind: 'user', to: ANN, level: 'edit' }]]);
  });

  it('takes no messages when it is closed or deleted, and is open again with a message when it was archived', () => {
    expect(() => threadOf({ thread_status: 'closed' }).receive('m', clock)).toThrow(/closed/);
    expect(() => threadOf({ thread_active: false }).receive('m', clock)).toThrow(/deleted/);
    const archived = threadOf({ thread_status: 'archived' });
    archived.receive('m', clock);
    expect([archived.thread_status, archived.thread_leaf]).toEqual(['open', 'm']);
  });

  it.each<[string, Partial<Thread>, boolean]>([
    ['is its own and private', {}, true],
    ['is told to use none', { thread_memory: false }, false],
    ['is read by its space', { thread_share_mode: 'space', thread_space: BEN }, false],
    ['is written in by its space', { thread_share_mode: 'collab', thread_space: BEN }, false],
    ['names another person', { thread_acl: { users: { [BEN]: 'view' } } }, false],
    ['names a role', { thread_acl: { roles: { [BEN]: 'view' } } }, false],
    ['names a space', { thread_acl: { spaces: { [BEN]: 'view' } } }, false],
    ['is somebody else’s', { thread_user: BEN }, false],
    ['is nobody’s', { thread_user: null }, false],
    ['is in a space, and private', { thread_space: BEN }, true],
  ])('that %s uses memories of its owner: %j', (_, facts, uses) => {
    expect(threadOf(facts).usesMemoriesOf(ANN)).toBe(uses);
  });

  it('is its owner’s alone once it is withdrawn from a deleted space, and goes on without memories', () => {
    const thread = threadOf({ thread_share_mode: 'collab', thread_space: BEN, thread_memory: false });
    thread.withdraw();
    expect(thread).toMatchObject({ thread_share_mode: 'private', thread_space: null, thread_memory: false });
  });

  it('leaves memories out of what is shared, unless somebody says otherwise', () => {
    const thread = threadOf();
    thread.share('collab', BEN);
    expect(thread.thread_memory).toBe(false);
    thread.thread_memory = true;
    thread.share('collab', BEN);
    expect(thread.thread_memory).toBe(true);
    thread.share('private', null);
    expect(thread.thread_memory).toBe(true);
    expect(() => thread.share('space', null)).toThrow(/requires a space/);
  });
});

describe('the list of access of a thread', () => {
  it('may be empty or name no owner, for the thread has one', () => {
    expect(checkedGrants({})).toEqual([]);
    expect(checkedGrants({ users: { [BEN.toUpperCase()]: 'view' }, spaces: { [ANN]: 'edit' } })).toEqual([
      { kind: 'user', to: BEN, level: 'view' },
      { kind: 'space', to: ANN, level: 'edit' },
    ]);
    expect(grantsIn({ roles: { [ANN]: 'owner' } })).toEqual([{ kind: 'role', to: ANN, level: 'owner' }]);
  });

  it.each([
    [{ people: {} }, /one of users, roles, spaces/],
    [{ users: [] }, /object with access levels/],
    [{ users: { ben: 'view' } }, /UUIDs as keys/],
    [{ users: { [BEN]: 'write' } }, /view, edit or owner/],
    [{ users: Object.fromEntries(Array.from({ length: 101 }, (_, at) => [BEN.slice(0, -3) + String(100 + at), 'view'])) }, /at most 100/],
  ])('refuses %j', (acl, reason) => {
    expect(() => checkedGrants(acl)).toThrow(reason);
  });
});

describe('the subject of a thread', () => {
  it('is a kind and an id and nothing else', () => {
    expect(refKeyOf(checkedRef({ type: 'ds', id: ANN.toUpperCase() }))).toBe(`ds:${ANN}`);
    const strange: readonly JsonObject[] = [
      { type: 'planet', id: ANN },
      { type: 'ds', id: 'x' },
      { type: 'ds' },
      { type: 'ds', id: ANN, name: 'x' },
    ];
    for (const ref of strange) expect(() => checkedRef(ref)).toThrow(/thread_ref/);
  });
});
