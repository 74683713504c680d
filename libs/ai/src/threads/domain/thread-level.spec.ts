import { levelOf, isLevelSufficient, type LevelGrounds } from './thread-level';

const nobody: LevelGrounds = { owns: false, granted: null, mode: 'private', space_role: null };

describe('the level on a thread', () => {
  it.each<[string, Partial<LevelGrounds>, ReturnType<typeof levelOf>]>([
    ['the owner', { owns: true }, 'owner'],
    ['the owner whom the list names lower', { owns: true, granted: 'view' }, 'owner'],
    ['a stranger', {}, null],
    ['a reader by the list', { granted: 'view' }, 'view'],
    ['another owner by the list', { granted: 'owner' }, 'owner'],
    ['an owner of the space of a private thread', { space_role: 'owner' }, null],
    ['a viewer of the space', { mode: 'space', space_role: 'viewer' }, 'view'],
    ['an owner of the space, who does not write there', { mode: 'space', space_role: 'owner' }, 'view'],
    ['somebody outside of the space', { mode: 'space' }, null],
    ['a viewer of the space of a collaboration', { mode: 'collab', space_role: 'viewer' }, 'view'],
    ['an editor of the space of a collaboration', { mode: 'collab', space_role: 'editor' }, 'edit'],
    ['an owner of the space of a collaboration', { mode: 'collab', space_role: 'owner' }, 'edit'],
    ['somebody outside of the space of a collaboration', { mode: 'collab' }, null],
    ['a writer by the list who only reads by the space', { mode: 'space', space_role: 'viewer', granted: 'edit' }, 'edit'],
    ['a reader by the list who writes by the space', { mode: 'collab', space_role: 'editor', granted: 'view' }, 'edit'],
  ])('of %s', (_, standing, level) => {
    expect(levelOf({ ...nobody, ...standing })).toBe(level);
  });

  it('covers those below it', () => {
    expect([
      isLevelSufficient('edit', 'view'),
      isLevelSufficient('edit', 'edit'),
      isLevelSufficient('edit', 'owner'),
      isLevelSufficient(null, 'view'),
    ]).toEqual([true, true, false, false]);
  });
});
