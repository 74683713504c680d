import { commentFor, namedByActions, type NotifyAction } from './flow-parts';

const notify = (more: Partial<NotifyAction>): NotifyAction => ({ type: 'notify', users: [], roles: [], creator: false, ...more });

describe('the comment of a move', () => {
  it('is trimmed, and null where there is none', () => {
    expect([commentFor({ comment: 'optional', name: 'Send' }, '  fine '), commentFor({ comment: 'optional', name: 'Send' }, ' ')]).toEqual([
      'fine',
      null,
    ]);
  });

  it('is refused where the transition takes none, and missed where it requires one', () => {
    expect(() => commentFor({ comment: 'none', name: 'Send' }, 'fine')).toThrow('comment: must be omitted for the transition Send');
    expect(() => commentFor({ comment: 'required', name: 'Send' }, null)).toThrow('comment: is required for the transition Send');
    expect(commentFor({ comment: 'none', name: 'Send' }, '')).toBeNull();
  });
});

describe('the people that actions name', () => {
  it('are each named once, with the creator where an action notifies the creator', () => {
    const actions = [notify({ users: ['ada'], roles: ['editors'] }), notify({ users: ['ada', 'bob'], creator: true })];
    expect(namedByActions(actions, 'eve')).toEqual(['ada', 'editors', 'bob', 'eve']);
    expect(namedByActions(actions, null)).toEqual(['ada', 'editors', 'bob']);
    expect(namedByActions([notify({ users: ['ada'] })], 'eve')).toEqual(['ada']);
  });
});
