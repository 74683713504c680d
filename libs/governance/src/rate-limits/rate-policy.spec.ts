import { allowancesOf } from './rate-policy';

describe('rate allowances', () => {
  it('are the usual ones where nothing is set', () => {
    expect(allowancesOf('')).toMatchObject({ read: 1_200, write: 300, ai: 60, workspace: 6_000 });
  });

  it('differ where the setting says so', () => {
    expect(allowancesOf('write=10, workspace=20')).toMatchObject({ read: 1_200, write: 10, workspace: 20 });
  });

  it.each(['write', 'write=0', 'writes=10', 'write=-1', 'write=1e3', '=5'])('refuse %j, naming what is wrong', (setting) => {
    expect(() => allowancesOf(setting)).toThrow(/RATE_LIMITS/);
  });
});
