import { Active, deactivationOf, restores, wasDeleted, type Deactivation } from './deactivation';
import { fieldOf } from './fields';

class Poster {
  @Active('change', { about: 'Whether the poster is active; false if it was deleted.' }) poster_active!: boolean;
}

const byChange: Deactivation = { flag: 'poster_active', restoration: 'change' };

describe('a row that is deleted by its flag', () => {
  it('declares the flag as a field that lists are filtered by', () => {
    expect(deactivationOf(Poster)).toEqual(byChange);
    expect(fieldOf(Poster, 'poster_active')).toMatchObject({ kind: 'flag', filter: 'equals' });
  });

  it('is restored by a change that sets the flag, whatever else it says', () => {
    expect(restores({ poster_active: true, poster_name: 'Spring' }, byChange)).toBe(true);
    expect(restores({ poster_active: false }, byChange)).toBe(false);
    expect(restores({ poster_name: 'Spring' }, byChange)).toBe(false);
  });

  it.each(['action', { never: 'Create it again.' }] as const)('is not restored by its flag if that is %j', (restoration) => {
    expect(restores({ poster_active: true }, { ...byChange, restoration })).toBe(false);
  });

  it.each([
    ['change', 'The poster was deleted. Set poster_active to true to restore it.'],
    ['action', 'The poster was deleted. Restore it with POST …/restore.'],
    [{ never: 'Create it again.' }, 'The poster was deleted. Create it again.'],
  ] as const)('says how it is restored: %j', (restoration, detail) => {
    expect(wasDeleted('poster', { ...byChange, restoration })).toMatchObject({ code: 'invalid_state', message: detail });
  });
});
