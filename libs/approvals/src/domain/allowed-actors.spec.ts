import { mayTransition, type AllowedActors } from './allowed-actors';

const NOBODY: AllowedActors = { permissions: [], roles: [], users: [] };
const actor = { user_id: 'ada', role_ids: ['editors'], permissions: new Set(['object:view', 'object:edit']) };

describe('the allowed actors of a transition', () => {
  it('are those who may change the subject, where it names nobody', () => {
    expect([mayTransition(actor, NOBODY, { editor: true }), mayTransition(actor, NOBODY, { editor: false })]).toEqual([true, false]);
  });

  it.each<[string, AllowedActors]>([
    ['a member', { ...NOBODY, users: ['bob', 'ada'] }],
    ['holders of a role', { ...NOBODY, roles: ['editors'] }],
    ['holders of a permission', { ...NOBODY, permissions: ['object:edit'] }],
    ['the creator', { ...NOBODY, creator: true }],
  ])('are %s, where it names them, whether they may change the subject or not', (_, movers) => {
    expect(mayTransition(actor, movers, { editor: false, creator: true })).toBe(true);
  });

  it.each<[string, AllowedActors]>([
    ['another member', { ...NOBODY, users: ['bob'] }],
    ['another role', { ...NOBODY, roles: ['owners'] }],
    ['another permission', { ...NOBODY, permissions: ['object:delete'] }],
    ['the creator', { ...NOBODY, creator: true }],
  ])('are not those who may change the subject, where it names %s alone', (_, movers) => {
    expect(mayTransition(actor, movers, { editor: true, creator: false })).toBe(false);
  });
});
